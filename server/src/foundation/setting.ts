// A setting: what it is for, the form of its value, and its default. Pure. Features declare theirs next to what they make
// of them; `program/settings.ts` is the list of all.

export type Form<Value> = Readonly<{
  /** What a value must be, for the mistake that names the setting. */
  wanted: string
  /** Undefined if the text has another form. */
  parse: (text: string) => Value | undefined
}>

export type Setting<Value = unknown> = Form<Value> &
  Readonly<{
    about: string
    /** The value that has the same effect as leaving the setting out. */
    default?: string
    /** What applies if it is left out, where that is no fixed value. */
    otherwise?: string
    /** A secret is never printed. Secrets and documents (PEM) can be read from a file, see `fileNameOf`. */
    kind?: 'secret' | 'document'
    /** Relaxes a rule that must hold where real visitors come: rejected in production. */
    isForTests?: true
  }>

/** Of each setting its value: undefined only where there is no default. */
export type ValuesOf<Settings extends Readonly<Record<string, Setting>>> = {
  readonly [Name in keyof Settings]:
    | (Settings[Name] extends Form<infer Value> ? Value : never)
    | (Settings[Name] extends { default: string } ? never : undefined)
}

export const integer = (least: number, most: number): Form<number> => ({
  wanted: `an integer from ${least} to ${most}`,
  parse(text) {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  },
})

export const choice = <const Value extends string>(values: readonly Value[]): Form<Value> => ({
  wanted: `one of ${values.join(', ')}`,
  parse: (text) => values.find((value) => value === text),
})

export const flag: Form<boolean> = {
  wanted: 'one of true, false',
  parse: (text) => (/^(true|false)$/.test(text) ? text === 'true' : undefined),
}

export const anyText: Form<string> = { wanted: 'a text', parse: (text) => text }

export const bytes: Form<number> = {
  wanted: 'a number of bytes',
  parse: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
}
