// Labels that are read from right to left (RFC 5893). One that breaks these rules is
// shown in another order than it is written, so that people read another name. Newer
// versions of Node know them, the oldest one that we support does not: hence here.

const scripts = 'Hebrew Arabic Syriac Thaana Nko Samaritan Mandaic Adlam Hanifi_Rohingya Mende_Kikakui'.split(' ')
const ofScript = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u')

const isLetter = (char: string) => /\p{L}/u.test(char)
const isRightToLeft = (char: string) => isLetter(char) && ofScript.test(char)
const isArabicDigit = (char: string) => /[٠-٩]/.test(char)
const isOtherDigit = (char: string) => /[0-9۰-۹]/.test(char)

/** Takes a label as people see it. */
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
