// The seven alerts of monitoring/rules.yaml in a real Prometheus, which scrapes the roles of a machine: each fires by a
// fault and is silent without. The durations of the rules are shortened; their thresholds are not. Beside each rule is one
// with renamed metrics, as the negative control: it must never fire.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startMailRelay, type TestRelay } from '../harness/mail-relay.ts'
import { prometheus } from '../harness/prometheus.ts'
import { visit } from '../harness/visitor.ts'
import { until } from '../internet/processes.ts'
import type { Installed } from './machine.ts'

const rules = readFileSync(join(import.meta.dirname, '../../monitoring/rules.yaml'), 'utf8')
const LISTEN = '127.0.0.1:19090'
const TARGETS = ['127.0.0.1:3901', '127.0.0.1:3902', '127.0.0.1:3903']
const FIRES_MS = 120_000
/** Longer than the longest shortened window. */
const SILENT_MS = 45_000
const settings = '/etc/petstore/petstore.env'

const windows: Readonly<Record<string, string>> = { '1m': '10s', '5m': '10s', '6h': '30s', '3d': '40s' }
const shortened = rules
  .replaceAll(/\[(\w+)\]/g, (_, window: string) => `[${windows[window] ?? '20s'}]`)
  .replaceAll(/for: \w+/g, 'for: 2s')
const renamed = shortened
  .replaceAll('petstore_', 'renamed_')
  .replaceAll('petstore:', 'renamed:')
  .replaceAll(/- (alert|name): (\S+)/g, '- $1: $2Renamed')

const asPostgres = (sql: string) => `echo "${sql}" | su postgres -c 'psql -q -v ON_ERROR_STOP=1 petstore'`
const restart = 'systemctl restart petstore-serve petstore-work'
const setting = (line: string) => `echo ${line} >>${settings} && ${restart}`
const withoutSetting = (name: string) => `sed -i /${name}/d ${settings} && ${restart}`
const ending = (days: number) =>
  asPostgres(`update certificates set not_after = now() + interval '${days} days' where hostname like 'willow.%'`)
const backedUp = (hours: number) => asPostgres(`update last_backup set taken_at = now() - interval '${hours} hours'`)

/** Commands on the machine, or what is done beside it. */
type Fault = { alert: string; by: string | (() => Promise<unknown>); mended: string | (() => Promise<unknown>) }

/** Time is not waited for, but written: a certificate that ends soon, an old backup, a mail that has been held for long. */
function faultsOf(installed: Installed, relay: TestRelay): Fault[] {
  const { machine } = installed
  let reopened: TestRelay | undefined
  return [
    { alert: 'PetstoreErrors', by: 'systemctl stop postgresql', mended: 'systemctl start postgresql' },
    {
      alert: 'PetstoreMailRelayFails',
      async by() {
        await relay.stop()
        await requestMail(installed, 'recovery')
      },
      async mended() {
        reopened = await startMailRelay()
        await machine.run(`sed -i 's#SMTP_URL=.*#SMTP_URL=${reopened.url}#' ${settings} && ${restart}`)
        await machine.run('petstore mail retry')
        await reopened.arrived(1)
      },
    },
    {
      alert: 'PetstoreQueueWaits',
      async by() {
        await machine.run(setting('MAIL_HOLD=true'))
        await requestMail(installed, 'sign-in-links')
        await machine.run(
          asPostgres("update due_directory set due_at = now() - interval '10 minutes' where kind = 'mail_urgent'"),
        )
      },
      async mended() {
        await machine.run(withoutSetting('MAIL_HOLD'))
        await reopened?.arrived(2)
        await reopened?.stop()
      },
    },
    { alert: 'PetstoreCertificateEnds', by: ending(10), mended: ending(80) },
    {
      alert: 'PetstoreDatabaseFull',
      by: setting('DATABASE_BYTES_MAX=1000000'),
      mended: withoutSetting('DATABASE_BYTES_MAX'),
    },
    { alert: 'PetstoreEdgeDisconnected', by: 'systemctl stop petstore-edge', mended: 'systemctl start petstore-edge' },
    { alert: 'PetstoreBackupOld', by: backedUp(27), mended: backedUp(1) },
  ]
}

/** As the dashboard requests it for an owner. */
async function requestMail({ target, app }: Installed, path: string): Promise<void> {
  const body = JSON.stringify({ email: 'you@shop.example' })
  const headers = { 'Content-Type': 'application/json', Origin: `https://${app}` }
  const ready = async () =>
    (await visit(target, app, { path: `/platform/v1/${path}`, method: 'POST', headers, body })).status === 202
  await until(`A mail by /${path}`, ready, 60_000)
}

type Queried = { data: { result: { metric: { alertname?: string } }[] } }

async function query(expression: string): Promise<Queried['data']['result']> {
  const response = await fetch(`http://${LISTEN}/api/v1/query?query=${encodeURIComponent(expression)}`)
  return ((await response.json()) as Queried).data.result
}

const isScraped = () =>
  query(`sum(up) == ${TARGETS.length} and on () count(petstore_due_lag_seconds)`).then(
    (found) => found.length > 0,
    () => false,
  )
const firing = async () =>
  (await query('count by (alertname) (ALERTS{alertstate="firing"})')).map(({ metric }) => metric.alertname ?? '')

function startPrometheus(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-prometheus-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const every = { scrape_interval: '1s', evaluation_interval: '1s' }
  const config = {
    global: every,
    rule_files: [file('rules.yaml', shortened), file('renamed.yaml', renamed)],
    scrape_configs: [{ job_name: 'petstore', static_configs: [{ targets: TARGETS }] }],
  }
  const args = [
    '--config.file',
    file('prometheus.yml', JSON.stringify(config)),
    '--storage.tsdb.path',
    join(folder, 'data'),
  ]
  const child = spawn(prometheus, [...args, `--web.listen-address=${LISTEN}`, '--log.level=error'], {
    stdio: ['ignore', 2, 2],
  })
  return async () => {
    child.kill()
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  }
}

/** The API with a key and the site, until it is stopped. */
function comeAndGo({ target, app, site }: Installed, key: string): () => Promise<void> {
  const open = new Set<Promise<unknown>>()
  const send = (hostname: string, path: string) => {
    const visiting: Promise<unknown> = visit(target, hostname, { path, headers: { Authorization: `Bearer ${key}` } })
    open.add(visiting)
    void visiting.finally(() => open.delete(visiting))
  }
  const timer = setInterval(() => {
    send(app, '/v1/pets')
    send(site, '/')
  }, 200)
  return async () => {
    clearInterval(timer)
    await Promise.all(open)
  }
}

export async function alertDrill(installed: Installed): Promise<object> {
  const { machine, setup } = installed
  await machine.run(`${setup} --roles serve,work,edge`)
  const relay = await startMailRelay()
  await machine.run(`echo 'SMTP_URL=${relay.url}' >>${settings} && ${setting("'MAIL_FROM=pets@willow-pets.com'")}`)
  await until('That all roles are ready', async () => (await machine.attempt('petstore health')).code === 0, 60_000)
  await machine.run('systemctl start petstore-backup')
  const { key } = JSON.parse((await machine.run('petstore keys create --project willow --json')).trim()) as {
    key: string
  }
  const endPrometheus = startPrometheus()
  const endVisits = comeAndGo(installed, key)
  const everFired = new Set<string>()
  const seen = async () => {
    const names = await firing()
    names.forEach((name) => everFired.add(name))
    return names.filter((name) => !name.endsWith('Renamed'))
  }
  const silent = async () => (await seen()).length === 0
  try {
    await until('That Prometheus scrapes all roles', isScraped, FIRES_MS)
    await until('That no alert fires at first', silent, FIRES_MS)
    await pause(SILENT_MS)
    const before = await seen()
    const fired: string[] = []
    const faults = faultsOf(installed, relay)
    for (const { alert, by, mended } of faults) {
      const begun = performance.now()
      const perform = (what: Fault['by']) => (typeof what === 'string' ? machine.run(what) : what())
      await perform(by)
      await until(`That ${alert} fires`, async () => (await seen()).includes(alert), FIRES_MS)
      fired.push(`${alert} ${Math.round((performance.now() - begun) / 1000)} s`)
      await perform(mended)
      await until(`That no alert fires after ${alert}`, silent, FIRES_MS).catch(async () => {
        throw new Error(`After ${alert} these fire still: ${(await seen()).join(', ')}`)
      })
    }
    const renamedFired = faults.map(({ alert }) => `${alert}Renamed`).filter((name) => everFired.has(name))
    return {
      before: before.join(', '),
      fired: fired.join(', '),
      alerts: fired.length,
      renamed: renamedFired.join(', '),
    }
  } finally {
    await endVisits()
    await endPrometheus()
    await relay.stop()
    await machine.run(`sed -i '/SMTP_URL\\|MAIL_FROM/d' ${settings} && ${setup} --roles start`)
  }
}
