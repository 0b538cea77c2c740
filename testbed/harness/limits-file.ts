// Writes docs/limits.md (`npm run generate -- limits`).

import { join } from 'node:path'
import { limitsPage } from '../../server/src/plans/limits-page.ts'
import { writeGenerated } from '../../tools/generated-file.ts'

writeGenerated('limits', join(import.meta.dirname, '../../docs/limits.md'), limitsPage())
