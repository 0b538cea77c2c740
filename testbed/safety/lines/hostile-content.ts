// Content of one account does not slow another down: cells of spreadsheets, Markdown, names and hosts of photos that are
// chosen to cost as much as possible. Measured by the other account's publishing, import, mail and pages.

import { setTimeout as pause } from 'node:timers/promises'
import { exchange } from '../../harness/http.ts'
import { besideAttack, eventLoop, repeated, together, type Attack, type AttackScene } from '../beside-attack.ts'
import { csvOf, fillImports } from '../fill-pools.ts'
import type { SafetyLine } from '../line.ts'
import { newAnimal, reviewImport } from '../tenant-tasks.ts'

export const safetyLine: SafetyLine = {
  title: 'Hostile content of one account does not slow another down',
  sizes: { small: '2 projects', large: 'all projects, with limits of time' },
  guards: [eventLoop],
  run: (run) =>
    besideAttack(run, {
      wanted: ['publish', 'import', 'mail'],
      async attack(all) {
        const scene = all.tier === 'small' ? withFewerProjects(all) : all
        return together([await fillImports(scene), await spreadsheets(scene), await pages(scene)])
      },
    }),
}

const PROJECTS_SMALL = 2

const withFewerProjects = (scene: AttackScene): AttackScene => ({
  ...scene,
  attacker: { ...scene.attacker, slugs: scene.attacker.slugs.slice(0, PROJECTS_SMALL) },
})

const FIELDS = [
  'name',
  'category',
  'born',
  'inCareSince',
  'age',
  'weightKilograms',
  'fee',
  'sex',
  'goodWithDogs',
  'traits',
]
/** Nearly as long as a cell may be. Each makes another kind of expression backtrack from every position. */
const CELLS = [
  `a${' '.repeat(9980)}b`,
  `${'1'.repeat(9980)}x`,
  `${'1.'.repeat(4990)}x`,
  `${'-'.repeat(9980)}a`,
  `${'a,'.repeat(4990)};`,
  'a\u0301'.repeat(4990),
]

/** In each project one import with such cells after another, judged and discarded. */
async function spreadsheets({ attacker }: AttackScene): Promise<Attack> {
  const rows = CELLS.map((cell, n) => FIELDS.map((field) => (field === 'name' ? `Rex ${n}` : cell)))
  const csv = csvOf(FIELDS, rows)
  return together(
    attacker.slugs.map((slug) =>
      repeated(async () => {
        const { id } = await reviewImport(attacker, slug, csv)
        await attacker.must('DELETE', `/projects/${slug}/imports/${id}`)
      }),
    ),
  )
}

/** From the most expensive to the cheapest; the first that can be saved is used. */
const STORIES = ['- a\n'.repeat(2500), '> '.repeat(20) + '- a\n'.repeat(500), '*a* '.repeat(400), '- a\n'.repeat(100)]
const PAGES_PER_SECOND = 9

/** Animals with such a story and a name of combining marks, whose pages are requested at a steady rate. */
async function pages({ attacker, service }: AttackScene): Promise<Attack> {
  const paths: { host: string; path: string }[] = []
  for (const slug of attacker.slugs) {
    const animal = await newAnimal(attacker, slug, { name: `a${'\u0301'.repeat(200)}` })
    const { profile } = (await attacker.must('GET', animal)).json as { profile: object }
    for (const story of STORIES) {
      if ((await attacker.send('PUT', `${animal}/profile`, { ...profile, story })).status < 300) break
    }
    paths.push({ host: `${slug}.petstore.test:3080`, path: `/animals/a-${animal.split('/').at(-1)}` })
  }
  const origin = `http://127.0.0.1:${service.sitePort}`
  return together(
    paths.map(({ host, path }) =>
      repeated(async () => {
        await Promise.all(
          ['/', path, `${path}?x=${Math.random()}`].map((one) =>
            exchange(origin, { path: one, headers: { Host: host } }),
          ),
        )
        await pause(3000 / PAGES_PER_SECOND)
      }),
    ),
  )
}
