// Mixed-script detection flags names that people could mistake for another name: a label in
// several scripts, or one whose letters all look like Latin ones. Registries sell such names,
// so they are allowed, and displayed in both forms. The rules follow UTS 39 ("highly
// restrictive"): Latin may be combined with the scripts of Chinese, Japanese and Korean, and
// with no other. A name that is wholly in another script, below a suffix of that script, is
// not flagged.

const letterScripts = (
  'Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Syriac Thaana Ethiopic Devanagari Bengali Gurmukhi Gujarati ' +
  'Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Mongolian Cherokee ' +
  'Canadian_Aboriginal Han Hiragana Katakana Hangul Bopomofo Tifinagh Nko Yi Javanese Balinese'
)
  .split(' ')
  .map((script) => ({ script, has: new RegExp(`^\\p{Script=${script}}$`, 'u') }))

const allowedGroups = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
]

/** Letters of other scripts, and of phonetic Latin, that look like plain Latin ones. */
const lookalikes: Readonly<Record<string, ReadonlySet<string>>> = {
  Cyrillic: new Set('асԁеһіјӏорԗԛѕԝхуъьҽпгѵѡ'),
  Greek: new Set('ονακιρυτωγηχεσβϲϳ'),
  Armenian: new Set('օսոհցզյգքւլԁ'),
  Georgian: new Set('იყძ'),
}
const phonetic = /[ɡɑɩɪʟɴʀʏᴀ-ᴢ]/u

/** Takes the name in its Unicode form (U-labels). */
export function isMixedScript(unicode: string): boolean {
  const labels = unicode.split('.')
  const suffix = scriptsOf(labels.at(-1) ?? '')
  return labels.some((label) => isMixed(label) || isLookalike(label, suffix) || phonetic.test(label))
}

function isMixed(label: string): boolean {
  const scripts = scriptsOf(label)
  const fits =
    scripts.size <= 1 || allowedGroups.some((group) => [...scripts].every((script) => group.includes(script)))
  return !fits || hasTwoKindsOfDigits(label)
}

function isLookalike(label: string, suffix: ReadonlySet<string>): boolean {
  const [script, another] = scriptsOf(label)
  if (script === undefined || another !== undefined || suffix.has(script)) return false
  const letters = lookalikes[script]
  return letters !== undefined && Array.from(label).every((char) => letters.has(char) || /[0-9-]/.test(char))
}

const hasTwoKindsOfDigits = (label: string) => /[0-9]/.test(label) && /[^\P{Nd}0-9]/u.test(label)

function scriptsOf(label: string): ReadonlySet<string> {
  const scripts = Array.from(label)
    .filter((char) => !/[\p{Script=Common}\p{Script=Inherited}]/u.test(char))
    .map(scriptOf)
  return new Set(scripts)
}

/** Rare scripts share one value: it only has to differ from the others. */
const scriptOf = (char: string) => letterScripts.find(({ has }) => has.test(char))?.script ?? 'rare'

// The Bidi rule checks labels that are read from right to left (RFC 5893). A label that
// breaks it is displayed in an order other than the one it is written in, so people read a
// different name. Newer versions of Node enforce the rule; the oldest version that we support
// does not, so it is implemented here.

const scripts = 'Hebrew Arabic Syriac Thaana Nko Samaritan Mandaic Adlam Hanifi_Rohingya Mende_Kikakui'.split(' ')
const ofScript = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u')

const isLetter = (char: string) => /\p{L}/u.test(char)
const isRightToLeft = (char: string) => isLetter(char) && ofScript.test(char)
const isArabicDigit = (char: string) => /[٠-٩]/.test(char)
const isOtherDigit = (char: string) => /[0-9۰-۹]/.test(char)

/** Takes a label in its Unicode form. */
export function hasOneDirection(label: string): boolean {
  const chars = Array.from(label)
  if (!chars.some((char) => isRightToLeft(char) || isArabicDigit(char))) return true
  const last = chars.findLast((char) => !/\p{M}/u.test(char)) ?? ''
  return (
    isRightToLeft(chars[0] ?? '') &&
    chars.every((char) => !isLetter(char) || isRightToLeft(char)) &&
    (isRightToLeft(last) || isArabicDigit(last) || isOtherDigit(last)) &&
    !(chars.some(isArabicDigit) && chars.some(isOtherDigit))
  )
}
