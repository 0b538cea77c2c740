// Photos that did not arrive or could not be prepared: why, and what to do about it.

import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import type { PhotoUpload } from '../ui/photo-uploads.ts'
import type { PhotoSource } from './use-photo-uploads.ts'
import type { Photo } from './use-photos.ts'

const words = texts.photos

type ProblemsProps = {
  uploads: readonly PhotoUpload<PhotoSource>[]
  photos: readonly Photo[]
  onRetry: (id: string) => void
  onCancel: (id: string) => void
  onDelete: (photo: Photo, openedBy: Element) => void
}

export function PhotoProblems({ uploads, photos, onRetry, onCancel, onDelete }: ProblemsProps) {
  const failed = photos.filter(({ state }) => state === 'failed')
  const stopped = uploads.filter(({ step }) => step === 'failed' || step === 'pausing')
  return (
    // There before the first one is, or it would not be announced.
    <div role="alert" className="photo-problems" aria-label={words.problems}>
      {stopped.map((upload) => {
        const name = upload.source.file.name || words.pasted
        const isFailed = upload.step === 'failed'
        return (
          <Problem
            key={upload.id}
            tone={isFailed ? 'bad' : 'warn'}
            name={name}
            text={isFailed ? upload.words : words.pausingText}
          >
            {(!isFailed || upload.mayRetry) && (
              <Button size="xs" variant="default" aria-label={words.retryOf(name)} onClick={() => onRetry(upload.id)}>
                {words.tryAgain}
              </Button>
            )}
            {isFailed && (
              <Button size="xs" variant="default" aria-label={words.removeOf(name)} onClick={() => onCancel(upload.id)}>
                {words.remove}
              </Button>
            )}
          </Problem>
        )
      })}
      {failed.map((photo) => (
        <Problem
          key={photo.id}
          tone="bad"
          name={words.at(photos.indexOf(photo), photos.length)}
          text={words.reasons[photo.reason ?? 'internal']}
        >
          <Button size="xs" variant="default" onClick={({ currentTarget }) => onDelete(photo, currentTarget)}>
            {words.deleteDo}
          </Button>
        </Problem>
      ))}
    </div>
  )
}

type ProblemProps = { tone: 'bad' | 'warn'; name: string; text: string; children: ReactNode }

const Problem = ({ tone, name, text, children }: ProblemProps) => (
  <div className={`note ${tone} photo-problem`}>
    <div>
      <strong className="photo-file">{name}</strong>
      <p className="plain">{text}</p>
    </div>
    <div className="row tight">{children}</div>
  </div>
)
