// Writes docs/experiments.md (`npm run generate -- experiments`).

import { join } from 'node:path'
import { writeGenerated } from '../../tools/generated-file.ts'
import { describedExperiments } from './catalogue.ts'
import { pageOf } from './description.ts'
import { describedSuites } from './suites.ts'

const file = join(import.meta.dirname, '../../docs/experiments.md')
writeGenerated('experiments', file, pageOf(describedExperiments(), await describedSuites()))
