// Checks domains in a test internet of hostile nameservers and exits with 1 if anything crashed,
// took too long, was verified falsely, was shown unescaped, was sent to a reserved address, or
// needed too much memory or time of the event loop.
//
//   npm run experiment -- hostile --help

import { startWorld } from '../../internet/world.ts'
import { brokenIn, drawClasses, runHostile, type HostileReport } from './run.ts'
import { checkControls, type Checked } from './negative-controls.ts'
import { say } from '../../../tools/steps.ts'
import { readFlags } from '../flags.ts'

const values = readFlags('hostile')
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const world = await startWorld()
try {
  await (values.control ? control() : measure())
} finally {
  await world.close()
}

async function measure(): Promise<void> {
  const report = await runHostile(world, {
    seed,
    mutations: Number(values.mutations),
    atOnce: Number(values['at-once']),
    classes: values.only?.split(',') ?? drawClasses(seed, Number(values.classes ?? Infinity)),
    onProgress: (done, of) => {
      if (done % 5000 === 0) process.stderr.write(`${done} of ${of}\n`)
    },
  })
  say(values.json ? JSON.stringify(report) : asText(report))
  process.exitCode = brokenIn(report).length > 0 ? 1 : 0
}

async function control(): Promise<void> {
  const checked: Checked[] = []
  const unnoticed = await checkControls(world, seed, (one) => checked.push(one))
  const lines = checked.map(
    ({ control: name, broken, isNoticed }) =>
      `${name}: ${isNoticed ? 'noticed' : 'NOT noticed'} (${broken.join(', ')})`,
  )
  say(values.json ? JSON.stringify({ seed, control: checked }) : lines.join('\n'))
  process.exitCode = unnoticed.length > 0 ? 1 : 0
}

function asText(report: HostileReport): string {
  const broken = brokenIn(report)
  return [
    `${report.looks} checks against ${report.classes} classes of hostile answers in ${report.seconds} s, seed ${report.seed}`,
    `crashes ${report.crashes}, over 5 s ${report.tooLong}, falsely verified ${report.falselyVerified}, not escaped or bounded ${report.unescaped}`,
    `correctly verified ${report.verified}; reserved addresses dialled ${report.reserved.length}; blocked connections to other hosts ${report.elsewhere}`,
    `one check: p50 ${report.p50Ms} ms, worst ${report.worstMs} ms`,
    `memory after the warm-up: ${report.growthMb} MB growth, of which ${report.heldMb} MB live`,
    `event loop: ${report.delayMs} ms at most for one check (${report.delayClass}), ${report.crowdDelayMs} ms with concurrent checks`,
    ...report.findings.map(({ what, hostname, detail }) => `${what}: ${hostname}: ${detail}`),
    broken.length > 0 ? `BROKEN: ${broken.join(', ')}` : 'no violations',
  ].join('\n')
}
