// On what somebody signed in, as they would say it: "Firefox on Windows". Read from what
// browsers say of themselves, which is enough to know one's own from others' and never
// proof of anything. Every browser claims to be several, so the order matters: whoever
// builds on another names it too.

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

/** No browser says more of itself, and to look through more would take a stranger's word for our time. */
const READ_MAX = 1000

/** Null where nothing is known by that name: what a stranger writes is not kept. */
export function deviceOf(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null
  const said = userAgent.slice(0, READ_MAX)
  const [browser, system] = [named(browsers, said), named(systems, said)]
  if (browser === undefined) return system ?? null
  return system === undefined ? browser : `${browser} on ${system}`
}

const named = (known: readonly (readonly [RegExp, string])[], text: string) =>
  known.find(([pattern]) => pattern.test(text))?.[1]
