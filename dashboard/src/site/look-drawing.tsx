// A small drawing of each look: Meadow round on a tint of the colour, Journal square on paper, under a serif headline.

import type { Look } from '@petstore-platform/contract/platform/site'

/** A colour that is still being typed is none: the drawing then has the one of the style sheet. */
export const LookDrawing = ({ of, color }: { of: Look; color: string }) => (
  <svg viewBox="0 0 144 96" aria-hidden className={`site-drawing ${of}`}>
    {of === 'meadow' ? <Meadow color={color} /> : <Journal color={color} />}
  </svg>
)

const Meadow = ({ color }: { color: string }) => (
  <>
    <rect className="ground" width="144" height="96" />
    <g fill={color}>
      <rect width="144" height="96" opacity=".06" />
      <rect x="10" y="9" width="124" height="45" rx="10" opacity=".16" />
      <rect x="19" y="19" width="46" height="6" rx="3" />
      <rect x="19" y="29" width="34" height="6" rx="3" />
      <rect x="19" y="40" width="22" height="8" rx="4" opacity=".8" />
      <path d="M78 54V33a13 13 0 0 1 26 0v21z" opacity=".55" />
      <circle cx="118" cy="26" r="8.5" opacity=".75" />
      <rect x="109.5" y="38" width="17" height="16" rx="5" opacity=".4" />
      <rect x="10" y="62" width="36" height="44" rx="9" opacity=".35" />
      <rect x="54" y="62" width="36" height="44" rx="9" opacity=".55" />
      <rect x="98" y="62" width="36" height="44" rx="9" opacity=".35" />
    </g>
  </>
)

const Journal = ({ color }: { color: string }) => (
  <>
    <rect className="ground" width="144" height="96" />
    <g fill={color}>
      <rect x="10" y="11" width="22" height="2.5" />
      <rect x="84" y="9" width="33" height="42" opacity=".55" />
      <rect x="119" y="9" width="15" height="20" opacity=".35" />
      <rect x="119" y="31" width="15" height="20" opacity=".75" />
      <rect x="10" y="66" width="36" height="40" opacity=".35" />
      <rect x="54" y="66" width="36" height="40" opacity=".55" />
      <rect x="98" y="66" width="36" height="40" opacity=".35" />
    </g>
    <g className="ink">
      <text x="9" y="34" fontFamily="Georgia, 'Times New Roman', serif" fontSize="17">
        Friends
      </text>
      <rect x="10" y="40" width="54" height="2" opacity=".55" />
      <rect x="10" y="45" width="42" height="2" opacity=".55" />
      <rect x="10" y="58" width="124" height="1" />
    </g>
  </>
)
