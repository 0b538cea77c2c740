// The configuration file as `setup` writes it. What an operator has written stays as it is: settings that are missing
// are added at the end. Pure.

export type EnvFile = Readonly<{ text: string; added: readonly string[]; kept: readonly KeptSetting[] }>
/** A setting that the file has with another value than the requested one. */
export type KeptSetting = Readonly<{ name: string; value: string; requested: string }>

const HEAD = '# Settings of Petstore, written by `petstore setup`. `petstore config print` shows all of them.\n'

export function envFileOf(
  existing: Readonly<{ text: string; values: Readonly<Record<string, string | undefined>> }> | undefined,
  requested: Readonly<Record<string, string>>,
): EnvFile {
  const values = existing?.values ?? {}
  const missing = Object.entries(requested).filter(([name]) => values[name] === undefined)
  const kept = Object.entries(requested).flatMap(([name, value]) => {
    const present = values[name]
    return present === undefined || present === value ? [] : [{ name, value: present, requested: value }]
  })
  const before = existing === undefined ? HEAD : existing.text.replace(/([^\n])$/, '$1\n')
  const lines = missing.map(([name, value]) => `${name}=${quoted(value)}\n`)
  return { text: before + lines.join(''), added: missing.map(([name]) => name), kept }
}

/** Plain values need no quotes; others may contain neither kind of quotation mark that surrounds them. */
const quoted = (value: string): string => {
  if (/^[\w.,:/@*+=%[\]-]*$/.test(value)) return value
  return value.includes('"') ? `'${value}'` : `"${value}"`
}
