// Derives a device name such as "Firefox on Windows" from the User-Agent header. It is
// enough for owners to recognise their own sessions, and never proof of anything. Every
// browser claims to be several, so the order matters: a browser that is built on another
// one names it too.

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPiOS\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** No real browser sends more, and parsing more would let an attacker spend our CPU time. */
const READ_MAX = 1000

/** Null for an unknown user agent: text chosen by a client is never stored. */
export function deviceOf(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null
  const said = userAgent.slice(0, READ_MAX)
  const [browser, system] = [named(browsers, said), named(systems, said)]
  if (browser === undefined) return system ?? null
  return system === undefined ? browser : `${browser} on ${system}`
}

const named = (known: readonly (readonly [RegExp, string])[], text: string) =>
  known.find(([pattern]) => pattern.test(text))?.[1]
