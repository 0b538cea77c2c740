// The files that all sites share: typefaces, portraits, scenes, and the style of a printed page. They are part of the program, not of a
// deployment, and every site serves them from its own origin. An address contains a digest of the bytes, so a browser
// may cache it permanently; a test compares the digests with the files.

const digests = {
  'fonts/figtree-latin.woff2': '4ba7d3d096695818',
  'fonts/figtree-latin-ext.woff2': 'bf7828e2c258cffc',
  'fonts/young-serif-latin.woff2': '6ba68b9927ad2a64',
  'portraits/dog-1.svg': '6135cd3076f44b25',
  'portraits/dog-2.svg': '80c0f4061e6de889',
  'portraits/dog-3.svg': 'e8a0bc6b75bd4e24',
  'portraits/dog-4.svg': '229c4a30854c2ce4',
  'portraits/cat-1.svg': '4d336d044d6e8187',
  'portraits/cat-2.svg': '4203c8cd0d74bac4',
  'portraits/cat-3.svg': 'e8e4cddc9ca6035e',
  'portraits/rabbit-1.svg': '3a86f895e2430d2d',
  'portraits/rabbit-2.svg': 'cb5de2734037e959',
  'portraits/guinea-pig-1.svg': '8d2977c508e2ef62',
  'portraits/parrot-1.svg': '94b3b0a0180d59a8',
  'portraits/budgie-1.svg': 'c84a38a245245c73',
  'portraits/hen-1.svg': '16aee88b9dcdfd81',
  'portraits/tortoise-1.svg': 'eda33ea39c194fe8',
  'portraits/paw-1.svg': '863a31e7d9527f16',
  'scenes/box.svg': '10669b82b6a91e2d',
  'scenes/glass.svg': '58041328c7c85fef',
  'styles/print.css': 'a1c1716e2ba1a753',
} as const

/** Path below `server/assets`. */
export type SiteFile = keyof typeof digests

export const siteFiles = Object.keys(digests) as readonly SiteFile[]

const types: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml; charset=utf-8',
  woff2: 'font/woff2',
  css: 'text/css; charset=utf-8',
}

export const typeOfFile = (file: SiteFile): string => types[file.split('.')[1] ?? ''] ?? 'application/octet-stream'

export const digestOfFile = (file: SiteFile): string => digests[file]

/** One address for each file: `/portraits/dog-1-<digest>.svg`. */
export const hrefOfFile = (file: SiteFile): string => `/${file.replace('.', `-${digests[file]}.`)}`

const byHref: ReadonlyMap<string, SiteFile> = new Map(siteFiles.map((file) => [hrefOfFile(file), file]))

/** Undefined for an unknown file, and for another version of a known one. */
export const fileAt = (path: string): SiteFile | undefined => byHref.get(path)
