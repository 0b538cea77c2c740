// A new key. Only this page holds it, and it is gone with the page; the link to the
// reference has it after the '#', which browsers never send.

import { Button } from '@mantine/core'
import * as texts from '../texts/texts.ts'
import { Copy } from '../ui/copy.tsx'
import { takeFocus } from '../ui/focus.ts'
import { timeWords } from '../ui/time.tsx'
import { displayOf, keyStatusOf, type FreshKey, type Key } from './views.ts'

const words = texts.keys

export const FreshKeyNote = ({ made, onClose }: { made: FreshKey; onClose: () => void }) => (
  <div
    className="note good stack key-note"
    role="group"
    aria-label={words.fresh(made.label)}
    tabIndex={-1}
    ref={takeFocus}
  >
    <h2>{words.fresh(made.label)}</h2>
    <p className="key-text">{words.once}</p>
    <div className="mono fresh-key">{made.key}</div>
    {made.old && <p className="key-text">{oldWords(made.old)}</p>}
    <div className="row">
      <Copy value={made.key} what={words.what} />
      <Button size="compact-sm" variant="default" onClick={onClose}>
        {words.kept}
      </Button>
      <a href={`/docs#api-key=${encodeURIComponent(made.key)}`} target="_blank" rel="noopener noreferrer">
        {words.tryIt} <span className="visually-hidden">{words.newTab}</span>
      </a>
    </div>
  </div>
)

function oldWords(old: Key): string {
  const display = displayOf(old)
  return old.expiresAt === null || keyStatusOf(old, Date.now()) !== 'accepted'
    ? words.oldEnded(display)
    : words.oldEnds(display, timeWords(old.expiresAt))
}
