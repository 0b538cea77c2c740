// The progress of an upload, or that it stopped and can continue.

import { Button, Progress } from '@mantine/core'
import * as texts from '../texts/texts.ts'
import type { useUpload } from './use-upload.ts'

const words = texts.imports
const percent = new Intl.NumberFormat(undefined, { style: 'percent' })

export function Sending({ upload }: { upload: ReturnType<typeof useUpload> }) {
  const progress = upload.progress ?? 0
  const said = words.uploading(percent.format(progress))
  return (
    <>
      <div className="stack tight" role="status">
        <Progress value={progress * 100} aria-label={said} />
        <span>{said}</span>
      </div>
      {upload.stopped === undefined ? (
        <p className="quiet plain">{words.keepOpen}</p>
      ) : (
        <div className="note bad" role="alert">
          {upload.stopped} {words.uploadStopped}
        </div>
      )}
      <div className="row">
        {upload.stopped !== undefined && <Button onClick={upload.goOn}>{words.goOn}</Button>}
        <Button variant="default" onClick={upload.reset}>
          {words.cancel}
        </Button>
      </div>
    </>
  )
}
