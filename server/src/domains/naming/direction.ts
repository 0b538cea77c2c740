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
