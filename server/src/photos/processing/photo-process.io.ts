// The process that decodes photos: it is confined, and killed when it takes too much memory or time.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { permissionsOf } from '../../foundation/processes/confined-process.io.ts'
import {
  startRequestProcess,
  type ProcessLimits,
  type RequestProcess,
} from '../../foundation/processes/request-process.io.ts'

export const startPhotoProcess = (limits: ProcessLimits): RequestProcess =>
  startRequestProcess({ program, readable, allowsAddons: true }, limits)

const program = join(import.meta.dirname, './photo-child.io.ts')
const { resolve } = createRequire(import.meta.url)
const modules = join(resolve('sharp'), '../../..')

/** What the program imports, directly and indirectly. `./` marks the paths that a release rewrites as it does imports. */
const readable = [
  program,
  ...[
    '../../foundation/processes/frames.ts',
    './image-header.ts',
    './recipe.ts',
    './upright.ts',
    '../../../package.json',
  ].map((file) => join(import.meta.dirname, file)),
  resolve('@petstore-platform/contract/photo-files'),
  join(modules, '@petstore-platform/contract'),
  ...['sharp', '@img', 'detect-libc', 'semver'].map((name) => join(modules, name)),
]

export const permissions: readonly string[] = permissionsOf({ readable, allowsAddons: true })
