// Small charts, drawn here: a line, bars, a ring, a meter. `says` is the chart in one sentence, for people who do not
// see it; the number itself always stands beside the chart.

import { barShapes, HEIGHT, lineShape, ringDash, WIDTH } from './chart-shapes.ts'

type ChartProps = { values: readonly number[]; says: string }

const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' }

export function Line({ values, says, isSecond = false }: ChartProps & { isSecond?: boolean }) {
  const { line, area } = lineShape(values)
  return (
    <svg {...box} className={isSecond ? 'chart second' : 'chart'} aria-label={says}>
      <path className="area" d={area} />
      <path className="line" d={line} />
    </svg>
  )
}

/** The last `recent` values are strong, the earlier ones pale. */
export const Bars = ({ values, says, recent }: ChartProps & { recent: number }) => (
  <svg {...box} className="chart" aria-label={says}>
    {barShapes(values).map((bar, index) => (
      <rect key={bar.x} {...bar} rx="2" className={index >= values.length - recent ? 'bar now' : 'bar'} />
    ))}
  </svg>
)

const RADIUS = 19

export const Ring = ({ done, of, says }: { done: number; of: number; says: string }) => (
  <svg className="ring" viewBox="0 0 48 48" role="img" aria-label={says}>
    <circle cx="24" cy="24" r={RADIUS} />
    {done > 0 && (
      <circle cx="24" cy="24" r={RADIUS} strokeDasharray={ringDash(done / of, RADIUS)} transform="rotate(-90 24 24)" />
    )}
    <text x="24" y="28.5">
      {done}/{of}
    </text>
  </svg>
)

/** How much of something is used. Its numbers are words beside it, so it has no label of its own. */
export const Meter = ({ share }: { share: number }) => (
  <svg className={share >= 1 ? 'meter full' : 'meter'} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden>
    <rect width="100" height="6" rx="3" />
    <rect width={Math.min(100, Math.max(share > 0 ? 2 : 0, share * 100))} height="6" rx="3" />
  </svg>
)
