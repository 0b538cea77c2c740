// An address as a QR code: the path of its dark modules, and a file to print. Pure.

import { encode } from 'uqr'

/** Modules of white around it, without which some cameras do not find it. */
const QUIET_ZONE = 4

export type QrCode = { size: number; path: string }

/** Level M survives a fold or a stain, and is still read from across a room. */
export function qrCodeOf(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
  return { size, path: rows.join('') }
}

/** Always dark on white, whatever the scheme of the page is: cameras expect it, and so does paper. */
export const qrFileOf = ({ size, path }: QrCode): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
  `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
