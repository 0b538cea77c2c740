// What a release must show, line by line. Each has a file in lines/.

import type { ShipLine } from './line.ts'
import { alerts } from './lines/alerts.ts'
import { contents } from './lines/contents.ts'
import { fiveCommands, remedyForCaddy } from './lines/five-commands.ts'
import { formsRun } from './lines/forms-run.ts'
import { reproducible } from './lines/reproducible.ts'
import { restore } from './lines/restore.ts'
import { renewals, requestIds } from './lines/suites.ts'
import { survival } from './lines/survival.ts'
import { unitsAndCompose } from './lines/units.ts'
import { upgrades } from './lines/upgrades.ts'

export const shipLines: readonly ShipLine[] = [
  fiveCommands,
  remedyForCaddy,
  ...survival,
  reproducible,
  formsRun,
  contents,
  unitsAndCompose,
  ...upgrades,
  restore,
  alerts,
  renewals,
  requestIds,
]
