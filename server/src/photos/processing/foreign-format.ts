// Names what an owner has uploaded instead of a photo that we read, and what helps. Only the first bytes decide; the
// name and the declared type of a file mean nothing.

/** For a file that is neither JPEG, PNG nor WebP. */
export function foreignFault(bytes: Buffer): string {
  if (bytes.length === 0) return 'The file is empty.'
  const format = formats.find(({ isIt }) => isIt(bytes))
  if (!format) return 'The file is neither JPEG, PNG nor WebP.'
  return `This is ${format.name}. ${format.advice ?? 'Photos can be JPEG, PNG or WebP.'}`
}

type Format = { name: string; isIt: (bytes: Buffer) => boolean; advice?: string }

const starts =
  (...beginnings: readonly string[]) =>
  (bytes: Buffer) =>
    beginnings.some((beginning) => latin1(bytes, 0, beginning.length) === beginning)

const latin1 = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

/** Brands of an ISO media file: its own, then those that it is compatible with. */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.length < 12 || latin1(bytes, 4, 8) !== 'ftyp') return []
  const brands = latin1(bytes, 8, Math.min(bytes.readUInt32BE(0), 128))
  return brands.match(/[^]{4}/g) ?? []
}
const hasBrand = (form: RegExp) => (bytes: Buffer) => brandsOf(bytes).some((brand) => form.test(brand))

/** An XML document says what it is behind declarations and comments. */
const startsMarkup = (element: RegExp) => (bytes: Buffer) => {
  const beginning = latin1(bytes, 0, 1024).replace(/^(\u00EF\u00BB\u00BF)?\s*/, '')
  return beginning.startsWith('<') && element.test(beginning)
}

const HEIC_ADVICE =
  'On the iPhone, choose Settings, Camera, Formats, Most Compatible for new photos; share this one as JPEG.'
const RAW_ADVICE = 'Export it as JPEG first.'
const VIDEO_ADVICE = 'Upload a single picture as JPEG, PNG or WebP.'

/** In order: a more specific one is listed before one that it could be mistaken for. */
const formats: readonly Format[] = [
  { name: 'an AVIF picture', isIt: hasBrand(/^avi[fs]$/) },
  { name: 'an HEIC picture', isIt: hasBrand(/^(he[iv][cxms]|mif1|msf1)$/), advice: HEIC_ADVICE },
  { name: 'a raw file of a camera', isIt: hasBrand(/^crx $/), advice: RAW_ADVICE },
  { name: 'a video', isIt: (bytes) => brandsOf(bytes).length > 0, advice: VIDEO_ADVICE },
  { name: 'a video', isIt: starts('\x1a\x45\xdf\xa3', '\0\0\x01\xba', '\0\0\x01\xb3', 'FLV'), advice: VIDEO_ADVICE },
  {
    name: 'a video',
    isIt: (bytes) => starts('RIFF')(bytes) && latin1(bytes, 8, 12) === 'AVI ',
    advice: VIDEO_ADVICE,
  },
  { name: 'a GIF picture', isIt: starts('GIF87a', 'GIF89a') },
  { name: 'a bitmap (BMP)', isIt: (bytes) => starts('BM')(bytes) && bytes.length > 26 },
  {
    name: 'a raw file of a camera',
    isIt: (bytes) =>
      starts('FUJIFILMCCD-RAW', 'IIRO', 'IIRS', 'MMOR', 'IIU\0', 'FOVb')(bytes) ||
      (starts('II*\0')(bytes) && latin1(bytes, 8, 10) === 'CR'),
    advice: RAW_ADVICE,
  },
  {
    name: 'a TIFF picture or a raw file of a camera',
    isIt: starts('II*\0', 'MM\0*', 'II+\0', 'MM\0+'),
    advice: RAW_ADVICE,
  },
  { name: 'a JPEG XL picture', isIt: starts('\xff\x0a', '\0\0\0\x0cJXL ') },
  { name: 'a JPEG 2000 picture', isIt: starts('\0\0\0\x0cjP  ', '\xff\x4f\xff\x51') },
  { name: 'a Photoshop file', isIt: starts('8BPS'), advice: RAW_ADVICE },
  { name: 'an icon (ICO)', isIt: starts('\0\0\x01\0', '\0\0\x02\0') },
  { name: 'a PDF document', isIt: starts('%PDF') },
  { name: 'an SVG drawing', isIt: startsMarkup(/<svg[\s>]/i) },
  { name: 'a web page', isIt: startsMarkup(/^<(!doctype html|html|head|body)/i), advice: 'Save the picture itself.' },
  {
    name: 'an archive or a document',
    isIt: starts('PK\x03\x04', 'Rar!', '7z\xbc\xaf', '\x1f\x8b', '\xd0\xcf\x11\xe0'),
    advice: 'Upload the pictures in it one by one.',
  },
]
