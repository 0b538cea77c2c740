// `mergeSettings` combines the sources of the configuration. Pure. A later source wins: the configuration file, the
// secrets directory, the environment. The origin of each value is kept, for `config print` and `doctor`.
//
// The configuration file is ours, so an unknown name in it is a mistake. The environment and the secrets directory
// contain names of other programs: only one that is almost that of a setting is reported, as a warning.

import { isKnown, probablyMeant, settings } from './settings.ts'

export type SourceKind = 'file' | 'secrets directory' | 'environment'

export type Source = Readonly<{
  kind: SourceKind
  /** The configuration file, or the secrets directory. */
  path?: string
  /** By name of the setting; `path` is that of the file that contains the value alone. */
  values: ReadonlyMap<string, Readonly<{ text: string; path?: string }>>
  /** Every name in the source, also those that are no settings. */
  names: readonly string[]
}>

export type ConfiguredSetting = Readonly<{
  name: string
  /** Undefined if it is not set. */
  text: string | undefined
  origin: 'default' | SourceKind
  /** The file that contains the value. */
  path?: string
}>

export type Merged = Readonly<{
  /** Every setting, in the order of the list. */
  all: readonly ConfiguredSetting[]
  /** As `parseConfig` reads it. */
  env: Readonly<Record<string, string>>
  mistakes: readonly string[]
  warnings: readonly string[]
}>

export function mergeSettings(sources: readonly Source[]): Merged {
  const all = Object.keys(settings).map((name) => mergedSetting(name, sources))
  const configurationFile = sources.find(({ kind }) => kind === 'file')?.path
  const set = all.filter(({ origin }) => origin !== 'default')
  return {
    all,
    // The name of a file as well: that of a certificate is read again when it changes.
    env: Object.fromEntries([
      ...set.map(({ name, text }) => [name, text ?? '']),
      ...set.flatMap(({ name, path }) =>
        path === undefined || path === configurationFile ? [] : [[`${name}_FILE`, path]],
      ),
    ]),
    mistakes: sources.filter(({ kind }) => kind === 'file').flatMap(unknownNames),
    warnings: sources.filter(({ kind }) => kind !== 'file').flatMap(misspeltNames),
  }
}

function mergedSetting(name: string, sources: readonly Source[]): ConfiguredSetting {
  // An empty value counts as none, as it does for `parseConfig`.
  const source = sources.findLast(({ values }) => (values.get(name)?.text ?? '') !== '')
  const value = source?.values.get(name)
  if (!source || !value) return { name, text: settings[name]?.default, origin: 'default' }
  const path = value.path ?? (source.kind === 'file' ? source.path : undefined)
  return { name, text: value.text, origin: source.kind, ...(path !== undefined && { path }) }
}

/** The secrets that are set, with the files that contain them. */
export const secretsIn = ({ all }: Merged) =>
  all.flatMap(({ name, text, origin, path }) =>
    settings[name]?.kind === 'secret' && origin !== 'default' && text !== undefined ? [{ name, text, path }] : [],
  )

const unknownNames = ({ names, path = '' }: Source): string[] =>
  names
    .filter((name) => !isKnown(name))
    .map((name) => `${name} in ${path} is not a setting.${suggestion(probablyMeant(name))}`)

const misspeltNames = ({ kind, names }: Source): string[] =>
  names.flatMap((name) => {
    const meant = isKnown(name) ? undefined : probablyMeant(name)
    return meant === undefined ? [] : [`${name} in the ${kind} is not a setting.${suggestion(meant)}`]
  })

const suggestion = (meant: string | undefined) => (meant === undefined ? '' : ` Did you mean ${meant}?`)
