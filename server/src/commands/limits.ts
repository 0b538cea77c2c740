// The operator's command that shows limits: those of the table, with what this installation overrides.

import { Command } from 'commander'
import { limitLines, limitsShown, occupiedText } from '../plans/limits-page.ts'
import { columns, type Invocation } from './command.ts'

export function limitCommands(invocation: Invocation): Command {
  const limits = new Command('limits')
  limits
    .command('show')
    .description('show every limit, and how many bytes one free account can occupy')
    .option('--json', 'print one JSON object, with the caps of every table')
    .action(({ json }: { json?: true }) => {
      const { config, print } = invocation()
      const { limitTable } = config
      print(
        json
          ? JSON.stringify(limitsShown(limitTable))
          : `${columns(limitLines(limitTable))}\n\n${occupiedText(limitTable)}`,
      )
    })
  return limits
}
