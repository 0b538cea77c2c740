// `petstore domains check` diagnoses a hostname, and `petstore domains trace` follows the redirects
// that visitors to an address get. Both need neither a database nor a project. They send the same
// DNS queries as the service, and judge by the same rules.

import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { judge } from '../domains/judging/judge.ts'
import { documentDomains, readHostname } from '../domains/naming/names.ts'
import { nothingKnown, wantedOf } from '../domains/observing/evidence.ts'
import { parseResolveOverride, type ResolveOverride } from '../domains/tracing/resolve-override.ts'
import { diagnoseChain, readUrl, chainJson, chainText } from '../domains/tracing/trace-diagnosis.ts'
import { traceChain } from '../domains/tracing/trace.io.ts'
import { checkJson } from '../domains/views/domain-json.ts'
import { reportText, verdictOf, type Verdict } from '../domains/views/terminal-report.ts'
import type { Config } from '../program/config.ts'
import { dnsOf } from '../program/context.ts'
import { observerOf, platformNamesOf } from '../program/domains.ts'
import type { Invocation } from './command.ts'

type Options = { target: string; token?: string; json?: true; verbose?: true }

/** `end` receives the exit code, which scripts read. */
export function domainCommands(invocation: Invocation, end: (verdict: Verdict) => void): Command {
  const domains = new Command('domains')
  domains
    .command('check')
    .description('diagnose the DNS of a hostname; needs no database')
    .argument('<hostname>', 'the name that visitors will type')
    .requiredOption('--target <name>', 'what it must point to: the default host of the project')
    .option('--token <text>', 'value that the TXT record must have, if one is needed')
    .option('--verbose', 'also print every DNS query and its answer')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExit status: 0 correct, 1 action required, 2 waiting (no action required), 3 undetermined.',
    )
    .action(async (typed: string, options: Options) => {
      const { config, print, invalid } = invocation()
      const target = options.target.toLowerCase().replace(/\.$/, '')
      if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(target))
        throw invalid('--target takes a hostname, such as willow.petstore.example.')
      end(await check(config, { ...options, typed, target }, print))
    })
  return domains.addCommand(traceCommand(invocation, end))
}

function traceCommand(invocation: Invocation, end: (verdict: Verdict) => void): Command {
  return new Command('trace')
    .description('follow a redirect chain, show every response, and explain the result')
    .argument('<url>', 'an address as visitors type it; without a scheme, http:// is assumed')
    .option(
      '--resolve <host:port:address>',
      'use this address instead of DNS, like curl --resolve; * matches every host; a port may follow',
      (one: string, before: readonly string[]) => [...before, one],
      [],
    )
    .option('--ca <file>', 'also trust the root certificates in this file (PEM)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExit status: 0 visitors arrive, 1 action required, 3 undetermined.')
    .action(async (typed: string, { resolve, ca, json }: { resolve: readonly string[]; ca?: string; json?: true }) => {
      const { config, print, invalid } = invocation()
      const url = readUrl(typed)
      if (url === null) throw invalid('<url> takes an address such as https://www.example.com/cats.')
      const overrides = resolve.map((text) => readOverride(text, invalid))
      const roots = ca === undefined ? undefined : readRoots(ca, invalid)
      const { testNetworks: allowedNetworks, edgeAddresses } = config.domains
      // Names are resolved as the service does: the system's hosts file is ignored.
      const traceOptions = { dns: dnsOf(config), allowedNetworks, places: overrides, roots, now: Date.now }
      const hops = await traceChain(traceOptions, url)
      const judged = diagnoseChain(hops, edgeAddresses)
      print(json ? chainJson(url, hops, judged) : chainText(hops, judged))
      end(judged.exitCode)
    })
}

function readOverride(text: string, invalid: (why: string) => Error): ResolveOverride {
  const override = parseResolveOverride(text)
  if (override === null) throw invalid('--resolve takes host:port:address, such as www.example.com:443:192.0.2.1.')
  return override
}

function readRoots(file: string, invalid: (why: string) => Error): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw invalid(`--ca cannot be read: ${error instanceof Error ? error.message : file}.`)
  }
}

async function check(
  config: Config,
  { typed, target, token, json, verbose }: Options & { typed: string },
  print: (text: string) => void,
): Promise<Verdict> {
  const platformHost = target.slice(target.indexOf('.') + 1)
  // Documents show this command with them.
  const reservedAllowed = [...config.domains.testSuffixes, ...documentDomains]
  const name = readHostname(typed, { platformHost, reservedAllowed })
  if (!name.ok) {
    print(json ? JSON.stringify({ code: name.code, message: name.message }) : name.message)
    return 1
  }
  const { hostname } = name
  const platform = { ...platformNamesOf(config), host: platformHost }
  const wanted = wantedOf(platform, target.slice(0, target.indexOf('.')), hostname, token ?? null)
  const now = Date.now()
  const evidence = await observerOf({ config, dns: dnsOf(config) })(wanted, { now, isFull: true, rotation: 0 })
  const known = { ...nothingKnown, typed: name.isCleaned ? typed : null }
  const judgement = judge({ wanted, evidence, known }, now)
  print(
    json ? checkJson(hostname, { judgement, evidence }) : reportText(hostname, judgement, evidence, verbose === true),
  )
  return verdictOf(judgement)
}
