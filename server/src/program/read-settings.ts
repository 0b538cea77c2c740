// `readSettings` reads the sources of the configuration: the configuration file (dotenv), the secrets directory and the
// environment, which it is given. A secret can also be in a file of its own, whose path is in NAME_FILE.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { mergeSettings, type Merged, type Source } from './merge-settings.ts'
import { fileNameOf, settings } from './settings.ts'

export const CONFIGURATION_FILE = '/etc/petstore/petstore.env'

type Texts = Readonly<Record<string, string | undefined>>

/** `file` must exist; without one, the default file is read if it exists. */
export function readSettings(environment: Texts, file?: string): Merged {
  const path = file ?? (existsSync(CONFIGURATION_FILE) ? CONFIGURATION_FILE : undefined)
  const inFile: Texts = path === undefined ? {} : parseEnv(readText(path, 'The configuration file'))
  const directory =
    environment['SECRETS_DIRECTORY'] || inFile['SECRETS_DIRECTORY'] || environment['CREDENTIALS_DIRECTORY']
  return mergeSettings([
    ...(path === undefined ? [] : [sourceOf({ kind: 'file', path }, inFile)]),
    ...(directory ? [secretsIn(directory)] : []),
    sourceOf({ kind: 'environment' }, environment),
  ])
}

function sourceOf(source: Pick<Source, 'kind' | 'path'>, texts: Texts): Source {
  const values = Object.keys(settings).flatMap((name) => {
    const path = texts[fileNameOf(name) ?? '']
    const text = texts[name]
    if (path) return [[name, { text: readText(path, `${name}_FILE`).trim(), path }] as const]
    return text === undefined ? [] : [[name, { text }] as const]
  })
  return { ...source, values: new Map(values), names: Object.keys(texts) }
}

/** Only what may be in a file is read: other files in the folder belong to others. */
function secretsIn(directory: string): Source {
  const names = listed(directory)
  const values = names
    .filter((name) => fileNameOf(name) !== undefined)
    .map((name) => {
      const path = join(directory, name)
      return [name, { text: readText(path, `The secret ${name}`).trim(), path }] as const
    })
  return { kind: 'secrets directory', path: directory, values: new Map(values), names }
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory).sort()
  } catch (cause) {
    throw new Error('SECRETS_DIRECTORY cannot be read', { cause })
  }
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${what} cannot be read`, { cause })
  }
}
