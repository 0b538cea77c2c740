// `petstore config print` shows every setting with its value and its origin, also those that are wrong. Secrets are
// shown as [secret].

import { Command } from 'commander'
import { ConfigError, parseConfig } from '../program/config.ts'
import type { ConfiguredSetting, Merged } from '../program/merge-settings.ts'
import { settings } from '../program/settings.ts'
import { columns } from './command.ts'

/** `end` receives the exit code. */
export function configCommands(
  merged: () => Merged,
  print: (text: string) => void,
  end: (code: number) => void,
): Command {
  const config = new Command('config')
  config
    .command('print')
    .description('print every setting, its value and its origin; then the mistakes')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExit status: 0 correct, 1 with mistakes.')
    .action(({ json }: { json?: true }) => {
      const read = merged()
      const mistakes = mistakesIn(read)
      const { warnings } = read
      const shown = read.all.map(shownSetting)
      print(
        json
          ? JSON.stringify({ settings: shown, mistakes, warnings })
          : [columns(shown.map(lineOf)), ...mistakes.map((mistake) => `Mistake: ${mistake}`)].join('\n'),
      )
      end(mistakes.length === 0 ? 0 : 1)
    })
  return config
}

type Shown = { name: string; value: string | null; origin: string; path?: string }

function shownSetting({ name, text, origin, path }: ConfiguredSetting): Shown {
  const isSecret = settings[name]?.kind === 'secret' && text !== undefined
  return { name, value: isSecret ? '[secret]' : (text ?? null), origin, ...(path !== undefined && { path }) }
}

/** A document has many lines; the first one shows what it is. */
const lineOf = ({ name, value, origin, path }: Shown) => [
  name,
  value === null ? `(${settings[name]?.otherwise ?? 'none'})` : (value.split('\n')[0] ?? ''),
  path === undefined ? origin : `${origin} ${path}`,
]

function mistakesIn({ env, mistakes }: Merged): readonly string[] {
  try {
    parseConfig(env, mistakes)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}
