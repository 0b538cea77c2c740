// Writes docs/asvs.md (`npm run generate -- asvs`).

import { join } from 'node:path'
import { writeGenerated } from '../../../tools/generated-file.ts'
import { sheetPage } from './sheet.ts'

writeGenerated('asvs', join(import.meta.dirname, '../../../docs/asvs.md'), sheetPage())
