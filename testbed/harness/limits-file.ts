// Writes docs/limits.md (`npm run generate -- limits`).

import { join } from 'node:path'
import { limitsPage } from '../../server/src/plans/limits-page.ts'
import { settings } from '../../server/src/program/settings.ts'
import { writeGenerated } from '../../tools/generated-file.ts'

const all: Readonly<Record<string, { default?: string }>> = settings
const defaultOf = (setting: string) => all[setting]?.default ?? 'none'

writeGenerated('limits', join(import.meta.dirname, '../../docs/limits.md'), limitsPage(defaultOf))
