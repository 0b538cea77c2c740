// An address as a QR code: one path in an SVG element, so that it needs no file and no script. Pure.

import { encode } from 'uqr'
import { html, type Html } from '../../foundation/html.ts'

/** Modules of white around it, without which some cameras do not find it. */
const QUIET_ZONE = 4

/** Always dark on white: cameras expect it. Level M survives a fold or a stain. */
export function qrCode(address: string, label: string): Html {
  const { data, size } = encode(address, { ecc: 'M', border: QUIET_ZONE })
  return html`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges">
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d="${data.map(rowPath).join('')}" />
  </svg>`
}

/** The dark modules of a row that stand side by side are one rectangle. */
function rowPath(row: readonly boolean[], y: number): string {
  const dark = row.map((isDark) => (isDark ? '#' : ' ')).join('')
  return [...dark.matchAll(/#+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join('')
}
