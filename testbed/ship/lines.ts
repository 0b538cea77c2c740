// What a release must show, line by line. Each has a file in lines/.

import type { ShipLine } from './line.ts'
import { contents } from './lines/contents.ts'
import { formsRun } from './lines/forms-run.ts'
import { reproducible } from './lines/reproducible.ts'
import { unitsAndCompose } from './lines/units.ts'

export const shipLines: readonly ShipLine[] = [reproducible, formsRun, contents, unitsAndCompose]
