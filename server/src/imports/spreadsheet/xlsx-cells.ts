// The values of XLSX cells as text. A date is stored as a number of days, and only the format of its cell says that it is
// one, or that it is a month; an amount of money is a number whose format shows the currency. Pure.

/** Booleans of XML. */
export const isDate1904 = (attribute: string | undefined): boolean => attribute === '1' || attribute === 'true'

/** What a format makes of a number: a date as far as it shows it, or an amount with a currency. */
export type NumberStyle = 'day' | 'month' | 'year' | { currency: string } | null

export function cellText(value: string, type: string, style: NumberStyle, is1904: boolean): string {
  if (type === 'e') return ''
  if (type === 'b') return value === '1' ? 'yes' : 'no'
  if (type !== 'n') return value
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value
  if (typeof style === 'string') return dateText(number, is1904)?.slice(0, shownLength[style]) ?? value
  // As Excel shows it: fifteen digits, and not the remainder of a binary fraction.
  return style === null ? numberText(number) : `${numberText(number)} ${style.currency}`
}

const shownLength = { day: 10, month: 7, year: 4 } as const

const numberText = (number: number): string => {
  const short = Number(number.toPrecision(15))
  return Math.abs(short) < 1e21 && Number.isInteger(short) ? BigInt(short).toString() : String(short)
}

const DAY_MS = 86_400_000
/** Day 0 of the two calendars; Excel believes that 1900 was a leap year, so its days count from one day earlier. */
const epochs = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) }
/** 31 December 9999. */
const LAST_DAY = 2_958_465

/** A time of day alone is no date. */
function dateText(days: number, is1904: boolean): string | undefined {
  if (days < 1 || days > LAST_DAY) return undefined
  return new Date((is1904 ? epochs.from1904 : epochs.from1900) + Math.floor(days) * DAY_MS).toISOString().slice(0, 10)
}

/** Formats that every file has, and that show dates. */
const builtInStyle = (id: number): NumberStyle => {
  if (id === MONTH_AND_YEAR) return 'month'
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'day' : null
}
const MONTH_AND_YEAR = 17

/** What a format shows; letters in quotation marks and colours are no part of a date. */
function styleOf(code: string): NumberStyle {
  const first = code.split(';')[0] ?? ''
  const letters = first.replaceAll(/"[^"]*"|\[[^[\]]*\]|\\./g, '')
  if (/[dmy]/i.test(letters) && !/^[hms:.0\s]*$/i.test(first)) {
    if (/[dh]/i.test(letters)) return 'day'
    return /m/i.test(letters) ? 'month' : 'year'
  }
  const currency =
    /\[\$([^\]-]+)/.exec(first)?.[1] ?? /\p{Currency_Symbol}|"(?:EUR|CHF|USD|GBP|Fr\.)"/u.exec(first)?.[0]
  return currency === undefined ? null : { currency: currency.replaceAll('"', '').trim() }
}

export type NumberStyles = {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  /** By the number of the style. */
  readonly styles: NumberStyle[]
}

const STYLES_MAX = 65_536

/** Gathers from `styles.xml` what the styles of cells make of numbers. */
export function numberStyles(): NumberStyles {
  const codes = new Map<number, NumberStyle>()
  const styles: NumberStyle[] = []
  let isInside = false
  return {
    styles,
    open(name, attributes) {
      if (name === 'cellXfs') isInside = true
      if (name === 'numFmt' && codes.size < STYLES_MAX)
        codes.set(Number(attributes['numFmtId']), styleOf(attributes['formatCode'] ?? ''))
      if (name !== 'xf' || !isInside || styles.length >= STYLES_MAX) return
      const id = Number(attributes['numFmtId'] ?? 0)
      const known = codes.get(id)
      styles.push(known === undefined ? builtInStyle(id) : known)
    },
    close(name) {
      if (name === 'cellXfs') isInside = false
    },
  }
}
