// The operator's commands for projects.

import { Command } from 'commander'
import { withDatabase, type Context } from './command.ts'
import { createProject } from '../projects/projects.io.ts'

export function projectCommands(context: Context): Command {
  const projects = new Command('projects')
  projects
    .command('create')
    .description('create a project; its slug can never be changed or reused')
    .requiredOption('--slug <slug>', 'lower-case letters, digits and hyphens, as in a hostname')
    .option('--name <name>', 'display name (default: the slug)')
    .option('--json', 'print one JSON object')
    .action(async ({ slug, name = slug, json }: { slug: string; name?: string; json?: true }) => {
      const { config, print } = context()
      await withDatabase(config, async (database) => {
        const project = await createProject(database, { slug, name })
        print(
          json ? JSON.stringify({ projectId: Number(project), slug, name }) : `Project ${project} (${slug}) is ready.`,
        )
      })
    })
  return projects
}
