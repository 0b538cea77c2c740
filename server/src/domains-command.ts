// `petstore domains check`: says what is right and wrong with a hostname, to
// anybody, without a database and without a project. It asks DNS exactly as the
// service does, and judges by the same rules.

import { Command } from 'commander'
import type { Context } from './commands.ts'
import type { Config } from './config.ts'
import { observerOf, platformNamesOf } from './domain-deps.ts'
import { nothingKnown, type Wanted } from './domains/evidence.ts'
import { judge } from './domains/judging/judge.ts'
import { checkJson } from './domains/json.ts'
import { readHostname } from './domains/naming/names.ts'
import { reportText, verdictOf, type Verdict } from './domains/report.ts'

type Options = { target: string; token?: string; json?: true; verbose?: true }

/** `end` takes the number with which the program ends: scripts read it. */
export function domainCommands(context: Context, end: (verdict: Verdict) => void): Command {
  const domains = new Command('domains').description('hostnames of owners, on which sites are published')
  domains
    .command('check')
    .description('say what is right and wrong with a hostname; needs no database')
    .argument('<hostname>', 'the name that visitors will type')
    .requiredOption('--target <name>', 'what it must point at: the default host of the project')
    .option('--token <text>', 'what the TXT record must say, if one is needed')
    .option('--verbose', 'show everything that was seen')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nEnds with 0 (right), 1 (somebody must act), 2 (only time is needed) or 3 (could not tell).',
    )
    .action(async (typed: string, options: Options) => {
      const { config, print, invalid } = context()
      const target = options.target.toLowerCase().replace(/\.$/, '')
      if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(target))
        throw invalid('--target takes a hostname, such as willow.petstore.example.')
      end(await check(config, { ...options, typed, target }, print))
    })
  return domains
}

async function check(
  config: Config,
  { typed, target, token, json, verbose }: Options & { typed: string },
  print: (text: string) => void,
): Promise<Verdict> {
  const platformHost = target.slice(target.indexOf('.') + 1)
  const name = readHostname(typed, { platformHost, reservedAllowed: config.domains.testSuffixes })
  if (!name.ok) {
    print(json ? JSON.stringify({ code: name.code, message: name.message }) : name.message)
    return 1
  }
  const { addresses, formerAddresses, authorities } = platformNamesOf(config)
  const { hostname } = name
  const wanted: Wanted = {
    hostname,
    target,
    platformHost,
    token: token ?? null,
    addresses,
    formerAddresses,
    authorities,
  }
  const now = Date.now()
  const evidence = await observerOf(config)(wanted, { now, isFull: true, rotation: 0 })
  const known = { ...nothingKnown, typed: name.isCleaned ? typed : null }
  const judgement = judge({ wanted, evidence, known }, now)
  print(
    json ? checkJson(hostname, { judgement, evidence }) : reportText(hostname, judgement, evidence, verbose === true),
  )
  return verdictOf(judgement)
}
