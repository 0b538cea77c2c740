// What was acknowledged survives a loss of power. The negative control runs PostgreSQL with synchronous_commit off: then
// some of it must be lost, and a process of production must refuse to start.
//
//   npm run experiment -- power-loss --help

import { readFlags } from '../flags.ts'
import { cutPower, type PowerLossFigures } from './run.ts'

const flags = readFlags('power-loss')
const figures = await cutPower({ cuts: Number(flags.cuts), isLazy: flags.control })
const fault = flags.control ? faultOfControl(figures) : faultOf(figures)
const { cuts, acknowledged, lost, refusal } = figures
process.stdout.write(
  flags.json
    ? `${JSON.stringify({ ...figures, fault: fault ?? null })}\n`
    : `${cuts} cuts; ${acknowledged} animals acknowledged, ${lost} lost; production ${refusal === null ? 'starts' : `refuses to start: ${refusal}`}\n${fault ?? 'The guarantee held.'}\n`,
)
if (fault !== undefined) process.exitCode = 1

function faultOf({ lost, refusal }: PowerLossFigures): string | undefined {
  if (refusal !== null) return 'Production does not start with this PostgreSQL.'
  return lost === 0 ? undefined : `${lost} acknowledged animals are lost.`
}

function faultOfControl({ lost, refusal }: PowerLossFigures): string | undefined {
  if (lost === 0) return 'Nothing was lost, although PostgreSQL did not wait for the disk.'
  return refusal?.includes('synchronous_commit is off') ? undefined : 'Production starts with this PostgreSQL.'
}
