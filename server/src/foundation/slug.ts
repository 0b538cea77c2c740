// The form of a project's slug, which the contract states. Whether a project may choose it is
// decided in projects/slugs.ts; every other place only recognises one.

import { SLUG_PATTERN } from '@petstore-platform/contract/platform/projects'

const form = new RegExp(SLUG_PATTERN)

export const isSlug = (value: unknown): value is string => typeof value === 'string' && form.test(value)
