// The alerts of monitoring/rules.yaml, as Prometheus evaluates them: each fires when it should, and is silent otherwise.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runPromtool, unpackPrometheus } from '../../harness/prometheus.ts'
import { alertCases, promtoolTests, steps } from '../alert-cases.ts'
import { none, noticed, type ShipLine } from '../line.ts'
import type { Workshop } from '../workshop.ts'

const shipped = readFileSync(join(import.meta.dirname, '../../../monitoring/rules.yaml'), 'utf8')

function evaluated(workshop: Workshop, rules: string): { alerts: number } {
  unpackPrometheus()
  const folder = workshop.newFolder('alerts')
  const [file, tests] = [join(folder, 'rules.yaml'), join(folder, 'tests.yaml')]
  writeFileSync(file, rules)
  runPromtool('check', 'rules', file)
  for (const step of steps) {
    writeFileSync(tests, promtoolTests(file, step))
    runPromtool('test', 'rules', tests)
  }
  return { alerts: alertCases.length }
}

const alertsIn = (rules: string) => [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

export const alerts: ShipLine = {
  name: 'alerts',
  title: 'every alert fires, and is silent otherwise, as Prometheus evaluates it',
  async run(workshop) {
    const cases = new Set(alertCases.map(({ alert }) => alert))
    none(
      'alerts without a case',
      alertsIn(shipped).filter((name) => !cases.has(name)),
    )
    return evaluated(workshop, shipped)
  },
  control: {
    title: 'a rule with a renamed metric, and one that does not parse',
    async run(workshop) {
      const renamed = shipped.replace('(petstore_mail_relay_failures)', '(petstore_relay_failures)')
      const broken = shipped.replace('(petstore_mail_relay_failures)', '(petstore_mail_relay_failures')
      return {
        renamed: await noticed(() => evaluated(workshop, renamed), /PetstoreMailRelayFails/),
        broken: await noticed(() => evaluated(workshop, broken), /could not parse expression|unclosed|parse error/),
      }
    },
  },
}
