import { firstSettings } from '@petstore-platform/contract/platform/site'
import type { Site } from './fields.ts'

/** A draft with a title and nothing else. */
export const first: Site = { version: 1, ...firstSettings('Happy Paws'), logo: null }
