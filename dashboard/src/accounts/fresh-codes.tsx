// New recovery codes, to be copied, downloaded or printed. Only this page holds them, and they are gone with the
// page. On paper they stand alone.

import { Button } from '@mantine/core'
import * as texts from '../texts/texts.ts'
import { Copy } from '../ui/copy.tsx'
import { downloadFile } from '../ui/download.ts'
import { takeFocus } from '../ui/focus.ts'
import { dateWords } from '../ui/time.tsx'
import { codesFile } from './codes-file.ts'

const words = texts.account.codes

type FreshCodesProps = { codes: readonly string[]; email: string; onClose: () => void }

export function FreshCodes({ codes, email, onClose }: FreshCodesProps) {
  const page = `${location.origin}/recovery`
  const download = () => {
    const text = codesFile({ codes, email, page, date: dateWords(new Date().toISOString()) })
    downloadFile(words.file.name, new Blob([text], { type: 'text/plain' }))
  }
  return (
    <div className="note good stack fresh-codes" role="group" aria-label={words.fresh} tabIndex={-1} ref={takeFocus}>
      <h3>{words.fresh}</h3>
      <p className="account-text">{words.once}</p>
      <ol className="mono code-list">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p className="account-text">{words.use(email, page)}</p>
      <div className="row">
        <Copy value={codes.join('\n')} what={words.what} />
        <Button size="compact-sm" variant="default" onClick={download}>
          {words.download}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => print()}>
          {words.print}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {words.kept}
        </Button>
      </div>
    </div>
  )
}
