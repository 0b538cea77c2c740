// Checks domains in a test internet of hostile nameservers.

import { startWorld } from '../../internet/world.ts'
import { brokenIn, drawClasses, runHostile } from './run.ts'
import { checkControls, type Checked } from './negative-controls.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

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
  conclude(values, report, ...brokenIn(report))
}

async function control(): Promise<void> {
  const checked: Checked[] = []
  const unnoticed = await checkControls(world, seed, (one) => checked.push(one))
  conclude(values, { seed, control: checked }, ...unnoticed.map((name) => `${name} was not noticed`))
}
