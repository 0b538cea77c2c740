// The operator's commands for plans. A billing provider would call the same functions.

import { REASON_LENGTH_MAX } from '@petstore-platform/contract/platform/plan-requests'
import { plans as allPlans, type Limits, type PlanName } from '@petstore-platform/contract/platform/projects'
import { Command } from 'commander'
import { columns, recorded, withProject, type Invocation, type OfProject } from './command.ts'
import { planChanged } from '../domains/advance.io.ts'
import { newId } from '../foundation/ids.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { planRulesOf } from '../plans/limits.ts'
import { declinePlan, setPlan } from '../plans/plans.io.ts'
import * as queries from '../projects/project-queries.ts'
import { inProjectOf } from '../projects/scope.io.ts'

export function planCommands(invocation: Invocation): Command {
  const plans = new Command('plans')
  recorded(plans.command('set'))
    .description('set the plan of a project; existing data is kept')
    .requiredOption('--project <project>', 'slug or id of the project')
    .requiredOption('--plan <plan>', allPlans.join(', '))
    .option('--json', 'print one JSON object')
    .action(async (options: OfProject & { plan: string }) => {
      const given = invocation()
      const { config, print, invalid } = given
      const rules = planRulesOf(config.limitTable)
      const { limitsOf } = rules
      const plan = readPlan(options.plan, invalid)
      await withProject(given, options, async (database, project) => {
        const inProject = inProjectOf(database)
        const { slug, from, to } = await setPlan({ inProject }, project, plan, 'operator')
        if (from !== to)
          await planChanged({ inProject, now: Date.now, newId, plans: rules }, project, limitsOf(to).customDomains > 0)
        const words = from === to ? `is already on the plan ${to}` : `has moved from the plan ${from} to ${to}`
        print(
          options.json ? JSON.stringify({ slug, plan: to, before: from, limits: limitsOf(to) }) : `${slug} ${words}.`,
        )
      })
    })

  recorded(plans.command('decline'), { hasReason: false })
    .description('decline the open request of a project for another plan')
    .requiredOption('--project <project>', 'slug or id of the project')
    .requiredOption('--reason <reason>', 'shown to its owners')
    .option('--json', 'print one JSON object')
    .action(async (options: OfProject & { reason: string }) => {
      const given = invocation()
      const { print, invalid } = given
      const { reason } = options
      if (!/^[^\p{Cc}]+$/u.test(reason) || Array.from(reason).length > REASON_LENGTH_MAX) {
        throw invalid(`--reason takes 1 to ${REASON_LENGTH_MAX} characters in one line.`)
      }
      await withProject(given, options, async (database, project) => {
        const { slug, plan } = await declinePlan({ inProject: inProjectOf(database) }, project, reason, 'operator')
        print(options.json ? JSON.stringify({ slug, plan, reason }) : `The request of ${slug} for ${plan} is declined.`)
      })
    })

  plans
    .command('show')
    .description('show what each plan includes, or what a project uses')
    .option('--project <project>', 'slug or id of the project')
    .option('--json', 'print one JSON object')
    .action(async ({ project: named, json }: Partial<OfProject>) => {
      const given = invocation()
      const { config, print } = given
      const { limitsOf } = planRulesOf(config.limitTable)
      if (named === undefined) {
        const all = allPlans.map((plan) => [plan, limitsOf(plan)] as const)
        print(json ? JSON.stringify({ plans: Object.fromEntries(all) }) : columns(all.map(limitCells)))
        return
      }
      await withProject(given, { project: named }, async (database, project) => {
        const [found, usage] = await inProjectOf(database)(project, (db) =>
          Promise.all([queries.findProject(db, project), queries.usageOf(db, project)]),
        )
        if (!found) throw new Refusal('not_found', `There is no project ${named}.`)
        const { slug, plan } = found
        const limits = limitsOf(plan)
        print(
          json
            ? JSON.stringify({ slug, plan, limits, usage })
            : `${columns([limitCells([plan, limits])])}\n${slug} has ${usage.members} members and ${usage.keys} keys.`,
        )
      })
    })
  return plans
}

function readPlan(text: string, invalid: (why: string) => Error): PlanName {
  const found = allPlans.find((plan) => plan === text)
  if (found === undefined) throw invalid(`--plan takes ${allPlans.join(', ')}.`)
  return found
}

const limitCells = ([plan, limits]: readonly [PlanName, Limits]): string[] => [
  plan,
  ...Object.entries(limits).map(([what, most]) => `${what} ${most}`),
]
