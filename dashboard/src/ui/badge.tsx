// A status in one word, after a dot of its colour. Never by colour alone.

import type { ReactNode } from 'react'

export type Tone = 'good' | 'warn' | 'bad' | 'wait' | 'plum' | 'plain'

export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`badge ${tone}`}>{children}</span>
)
