// The operator's commands for projects.

import { Command } from 'commander'
import { withDatabase, withProject, type Invocation, type OfProject } from './command.ts'
import { findCredentials } from '../accounts/account-queries.ts'
import { setSuspended } from '../fleet/suspension.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { addOwner } from '../projects/members.io.ts'
import { createProject } from '../projects/projects.io.ts'
import { inProjectOf } from '../projects/scope.io.ts'
import { queueMail } from '../program/mail-kinds.ts'

export function projectCommands(invocation: Invocation): Command {
  const projects = new Command('projects')
  projects
    .command('create')
    .description('create a project; its slug can never be changed or reused')
    .requiredOption('--slug <slug>', 'lower-case letters, digits and hyphens, as in a hostname')
    .option('--name <name>', 'display name (default: the slug)')
    .option('--json', 'print one JSON object')
    .action(async ({ slug, name = slug, json }: { slug: string; name?: string; json?: true }) => {
      const { config, print } = invocation()
      await withDatabase(config, async (database) => {
        const project = await createProject(database, { slug, name })
        print(
          json ? JSON.stringify({ projectId: Number(project), slug, name }) : `Project ${project} (${slug}) is ready.`,
        )
      })
    })

  projects
    .command('add-owner')
    .description('make an account an owner of a project, as when its owners are gone')
    .requiredOption('--project <project>', 'slug or id of the project')
    .requiredOption('--email <address>', 'address of the account')
    .option('--json', 'print one JSON object')
    .action(async ({ project: named, email, json }: OfProject & { email: string }) => {
      const { config, print } = invocation()
      await withProject(config, named, async (database, project) => {
        const account = await findCredentials(database.run, email)
        if (!account) throw new Refusal('not_found', `There is no account with the address ${email}.`)
        const deps = { inProject: inProjectOf(database), queueMail: config.mail && queueMail }
        const { slug } = await addOwner(deps, project, account.id)
        print(json ? JSON.stringify({ slug, account: account.id, role: 'owner' }) : `${email} is an owner of ${slug}.`)
      })
    })
  for (const isSuspended of [true, false]) {
    projects
      .command(isSuspended ? 'suspend' : 'resume')
      .description(
        isSuspended
          ? 'close the API and the sites of a project within a second, and changes in the dashboard'
          : 'open a suspended project again',
      )
      .requiredOption('--project <project>', 'slug or id of the project')
      .requiredOption('--as <name>', 'your name, for the audit events that members see')
      .requiredOption('--reason <text>', 'why, for the same')
      .option('--json', 'print one JSON object')
      .action(async ({ project: named, as: by, reason, json }: OfProject & { as: string; reason: string }) => {
        const { config, print } = invocation()
        await withProject(config, named, async (database, project) => {
          const mail = config.mail && queueMail
          const slug = await setSuspended(inProjectOf(database), project, { isSuspended, by, reason }, mail)
          const state = isSuspended ? 'suspended' : 'open'
          print(json ? JSON.stringify({ slug, state }) : `${slug} is ${state}.`)
        })
      })
  }
  return projects
}
