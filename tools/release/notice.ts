// NOTICE: every package that a release contains, with its licence and the text of it. A licence that is not on the
// list stops the release: a person decides whether it may be shipped. Pure.

export type Licensed = { name: string; version: string; licence: string | undefined; text: string | undefined }
export type NoticeSection = { title: string; packages: readonly Licensed[] }

/** Permissive licences, and the LGPL of libvips, which sharp links dynamically and an operator can replace. */
const admitted = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Unlicense',
])

/** Of an SPDX expression without nested groups: all of `AND`, one of `OR`. */
export function isAdmitted(licence: string | undefined): boolean {
  if (licence === undefined) return false
  const alternatives = licence.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return alternatives.some((one) => one.split(' AND ').every((name) => admitted.has(name.trim())))
}

export const unlistedLicences = (packages: readonly Licensed[]): string[] =>
  packages
    .filter(({ licence }) => !isAdmitted(licence))
    .map(({ name, version, licence }) => `${name} ${version}: ${licence ?? 'no licence'}`)

const head = `Petstore is licensed under the Apache License 2.0; see LICENSE.
This release contains the following packages, each under its own licence.
libvips (LGPL-3.0-or-later) is a shared library in node_modules/@img that can be replaced by another build of it.
`

export function noticeText(sections: readonly NoticeSection[]): string {
  const unlisted = unlistedLicences(sections.flatMap(({ packages }) => packages))
  if (unlisted.length > 0) throw new Error(`Licences that are not on the list:\n${unlisted.join('\n')}`)
  return [head, ...sections.map(sectionText)].join('\n')
}

const RULE = '='.repeat(80)

/** Packages that share a text, such as those of one monorepository, are listed above it together. */
function sectionText({ title, packages }: NoticeSection): string {
  const byText = new Map<string, string[]>()
  for (const { name, version, licence, text } of packages) {
    const key = text?.trim() ?? ''
    byText.set(key, [...(byText.get(key) ?? []), `${name} ${version} (${licence})`])
  }
  const groups = [...byText].map(([text, names]) => `${names.join('\n')}\n${text && `\n${text}\n`}`)
  return `${RULE}\n${title}\n${RULE}\n\n${groups.join(`\n${'-'.repeat(80)}\n`)}`
}

/** Packages that the text does not name; 0 of a complete NOTICE. */
export const missingIn = (notice: string, packages: readonly { name: string; version: string }[]): string[] =>
  packages.map(({ name, version }) => `${name} ${version}`).filter((one) => !notice.includes(`\n${one} (`))
