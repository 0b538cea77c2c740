// Adds photos from this device to the animals of an import, many files at once.

import { Button, Progress } from '@mantine/core'
import { ImagePlus } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Section } from '../ui/page.tsx'
import { FileDrop } from './file-drop.tsx'
import { usePhotoFiles } from './use-photo-files.ts'
import type { FoundImport } from './views.ts'

const words = texts.imports
const photoWords = texts.photos

export function PhotoFiles({ found }: { found: FoundImport }) {
  const photos = usePhotoFiles(found)
  const { leaving } = photos
  return (
    <Section title={words.photosTitle}>
      <p className="plain quiet">{words.photosLead}</p>
      <FileDrop
        icon={ImagePlus}
        choose={words.choosePhotos}
        orDrop={words.dropPhotos}
        accept="image/*"
        isMultiple
        isSmall
        onFiles={photos.add}
      />
      {photos.fault !== undefined && (
        <div className="note bad" role="alert">
          {photos.fault}
        </div>
      )}
      <Progressing photos={photos} />
      {photos.unmatched.length > 0 && (
        <div className="note warn stack tight" role="alert">
          <strong>{words.unmatched(photos.unmatched.length)}</strong>
          <ul className="import-files">
            {photos.unmatched.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
          <span>{words.unmatchedAdvice}</span>
        </div>
      )}
      <Stopped photos={photos} />
      <Confirm
        title={photoWords.leave}
        isOpen={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        action={photoWords.leaveDo}
        onConfirm={() => leaving.proceed?.()}
      >
        <p>{photoWords.leaveText}</p>
      </Confirm>
    </Section>
  )
}

type Photos = ReturnType<typeof usePhotoFiles>

function Progressing({ photos: { isMatching, chosen, sent } }: { photos: Photos }) {
  if (isMatching) return <p role="status">{words.matching}</p>
  if (chosen === 0) return null
  const isDone = sent === chosen
  const said = isDone ? words.allSent(sent) : words.sent(sent, chosen)
  return (
    <div className="stack tight">
      {!isDone && <Progress value={(sent / chosen) * 100} aria-label={said} />}
      {isDone ? (
        <div className="note good" role="status">
          {said}
        </div>
      ) : (
        <span>{said}</span>
      )}
    </div>
  )
}

function Stopped({ photos: { stopped, retry, remove } }: { photos: Photos }) {
  return (
    // There before the first one is, or it would not be announced.
    <div role="alert" className="stack tight said" aria-label={photoWords.problems}>
      {stopped.map((upload) => {
        const { name } = upload.source.file
        const isFailed = upload.step === 'failed'
        return (
          <div key={upload.id} className={`note row apart ${isFailed ? 'bad' : 'warn'}`}>
            <span>
              <strong>{name}</strong> {isFailed ? upload.words : photoWords.pausingText}
            </span>
            <span className="row tight">
              {(!isFailed || upload.mayRetry) && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={photoWords.retryOf(name)}
                  onClick={() => retry(upload.id)}
                >
                  {photoWords.tryAgain}
                </Button>
              )}
              {isFailed && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={photoWords.removeOf(name)}
                  onClick={() => remove(upload.id)}
                >
                  {photoWords.remove}
                </Button>
              )}
            </span>
          </div>
        )
      })}
    </div>
  )
}
