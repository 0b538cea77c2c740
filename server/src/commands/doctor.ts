// `petstore doctor` observes this installation and its surroundings, judges what it found, and prints each problem with
// its remedy. On an edge it needs no database.

import { join } from 'node:path'
import { Command } from 'commander'
import { changeTxtOf, allowanceOf, opener } from '../program/certificates.ts'
import { dnsOf } from '../program/context.ts'
import type { Config } from '../program/config.ts'
import { hostnameOf } from '../program/domains.ts'
import { askSettings } from '../edge/control-client.io.ts'
import { exitCodeOf, judgeInstallation, reportText, type Facts } from '../operations/doctor/judge.ts'
import { observeContents } from '../operations/doctor/observe-contents.io.ts'
import { observeDatabase } from '../operations/doctor/observe-database.io.ts'
import { observeNames } from '../operations/doctor/observe-names.io.ts'
import { observeProgram } from '../operations/doctor/observe-program.io.ts'
import { observeWeb } from '../operations/doctor/observe-web.io.ts'
import { findDefaultHost, listEdges } from '../fleet/directory.io.ts'
import { concernsOf } from '../fleet/edge-concerns.ts'
import { CONNECTED_MS } from '../fleet/protocol.ts'
import { wildcardOf } from '../fleet/table-name.ts'
import type { Finding } from '../foundation/finding.ts'
import { openDatabase, type Database } from '../foundation/postgres/postgres.io.ts'
import { SECOND } from '../foundation/time.ts'
import { secretsIn, type Merged } from '../program/merge-settings.ts'
import { applicationNameOf, release } from '../program/release.ts'

export type ExaminedInstallation = {
  config: Config
  merged: Merged
  /** The configuration that Caddy needs. */
  caddyText: string
  /** Where it is. */
  caddyFile: string
}

export const CADDY_FILE = '/etc/petstore/caddy.json'
const installer = join(import.meta.dirname, '../../bin/install-packages')

/** `end` receives the exit code. */
export function doctorCommand(
  installation: () => Promise<Omit<ExaminedInstallation, 'caddyFile'>>,
  print: (text: string) => void,
  end: (code: number) => void,
): Command {
  return new Command('doctor')
    .option('--caddy-file <file>', 'the configuration of Caddy', CADDY_FILE)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExit status: 0 correct or warnings only, 1 action required, 2 waiting (no action required), 3 undetermined.',
    )
    .action(async ({ caddyFile, json }: { caddyFile: string; json?: true }) => {
      const findings = await examine({ ...(await installation()), caddyFile })
      print(json ? JSON.stringify({ findings }) : reportText(findings))
      end(exitCodeOf(findings))
    })
}

export const reportBeforeStart = async (installation: Omit<ExaminedInstallation, 'caddyFile'>): Promise<string> =>
  reportText(await examine({ ...installation, caddyFile: CADDY_FILE }, { isStarted: false }))

/** `isStarted`: false before the first start, when nothing can be reached yet. */
export async function examine(
  installation: ExaminedInstallation,
  { isStarted = true } = {},
): Promise<readonly Finding[]> {
  const { config, merged } = installation
  const isEdge = config.edge !== undefined
  const url = config.databaseUrl.reveal()
  const applicationName = applicationNameOf('command')
  const subject = { url, keys: config.certificates?.keys, applicationName, version: release.version }
  const database = isEdge ? undefined : await observeDatabase(subject)
  const isUsable = database !== undefined && 'value' in database && database.value.schemaTrouble === undefined
  const open = isUsable ? openDatabase({ url, poolMax: 1, applicationName, onError: () => {} }) : undefined
  try {
    return judgeInstallation({
      program: observeProgram({
        sources: { mistakes: merged.mistakes, warnings: merged.warnings },
        secrets: secretsIn(merged),
        directory: config.edge?.directory ?? config.dataDirectory,
      }),
      needs: { processes: config.processes, poolMax: config.databasePoolMax },
      database,
      contents: open && (await observeContents(open.run, { ...config, sendsMail: config.mail !== undefined })),
      outside: isStarted ? await observeOutside(installation, open) : undefined,
    })
  } finally {
    await open?.close()
  }
}

const messageOf = (error: Error): string => error.message

async function observeOutside(
  { config, caddyText, caddyFile }: ExaminedInstallation,
  database: Database | undefined,
): Promise<Facts['outside']> {
  const { certificates, control, domains, edge } = config
  const dns = dnsOf(config)
  const platformHost = hostnameOf(config.platformHost)
  // Visitors come to an edge host through its Caddy.
  const isHttps = edge !== undefined || config.siteScheme === 'https' || config.baseUrl.startsWith('https:')
  // Without the token: doctor enrols nothing.
  const asking = edge && askSettings({ ...edge, token: undefined })
  const [trouble, edges, web, names] = await Promise.all([
    asking?.then(() => undefined, messageOf),
    database ? listEdges(database.run, CONNECTED_MS / SECOND) : [],
    observeWeb({
      dns,
      api: edge
        ? undefined
        : { baseUrl: config.baseUrl, listensOn: config.host, trustedProxies: config.trustedProxies },
      platformHost,
      isHttps,
      edgeAddresses: domains.edgeAddresses,
      probeSecret: config.probeSecret?.reveal(),
      testRoots: certificates?.testRoots,
      visitorPorts: { http: domains.probePort, https: domains.probeTlsPort },
      publishedHost: database && (await findDefaultHost(database.run, platformHost)),
      caddy: { path: caddyFile, wanted: caddyText, installer },
      listeners: [
        { name: 'EDGE', host: config.edgeHost, port: config.edgePort },
        ...(control && control.port !== 0 ? [{ name: 'CONTROL', ...control }] : []),
      ],
    }),
    observeNames({
      dns,
      ordering: database &&
        certificates && {
          database,
          ...certificates,
          openAcme: opener(certificates),
          ordersMax: allowanceOf(certificates).perWindow,
        },
      authorities: domains.authorities,
      names:
        certificates && isHttps
          ? [
              new URL(config.baseUrl).hostname,
              config.platformNames.tls === 'wildcard' ? wildcardOf(platformHost) : platformHost,
            ]
          : [],
      changeTxt: config.platformNames.tls === 'wildcard' ? changeTxtOf(config) : undefined,
    }),
  ])
  return { web, names, control: trouble, edges: edges.flatMap((one) => concernsOf(one, Date.now())) }
}
