// Generates what a browser needs of the list of profile fields as a module: the list itself contains descriptions and limits
// of drawings, which a page would load needlessly.

import { profileFieldNames, profileFields, type ProfileFieldEntry } from './profile-fields.ts'

export function printedInputs(): string {
  const rows = profileFieldNames.map((name) => `  ${name}: ${literal(profileFields[name])},`)
  return `// Printed from the fields of a profile: change them, then "npm run generate".\n\nexport const profileInputs = {\n${rows.join('\n')}\n} as const\n`
}

/** In the style of the formatter. */
function literal(entry: ProfileFieldEntry): string {
  const { type, group, question } = entry
  const parts = [`type: '${type}'`, `group: '${group}'`]
  if ('lengthMax' in entry) parts.push(`lengthMax: ${entry.lengthMax}`)
  if (question !== undefined) parts.push(`question: '${question}'`)
  return `{ ${parts.join(', ')} }`
}
