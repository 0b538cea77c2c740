// The logo of the draft. The accepted files are listed before the upload; the server
// detects from the bytes whether a file is a picture.

import { Button, FileButton } from '@mantine/core'
import type { ImageType } from '@petstore-platform/contract/platform/site'
import { useId, useState } from 'react'
import { client, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import type { Site } from './fields.ts'

const words = texts.site
/** Offered first when a file is chosen. */
const accepted: Record<ImageType, true> = { 'image/png': true, 'image/jpeg': true, 'image/webp': true }

/** Two codes are about requests in general, and get a text about files. */
const faultOf = ({ code, message }: { code: string; message: string }): string => {
  if (code === 'body_too_large') return words.logoTooLarge
  return code === 'unsupported_media_type' ? words.logoWrongKind : message
}

type LogoProps = { logo: Site['logo']; onSite: (site: Site) => void; isFixed: boolean }

export function LogoField({ logo, onSite, isFixed }: LogoProps) {
  const { slug: project } = useProject()
  const [fault, setFault] = useState<string>()
  const id = useId()
  const put = useAction('putLogo', {
    done: words.logoUploaded,
    onDone: onSite,
    renews: ['getSite'],
    onRefused: (error) => (setFault(faultOf(error)), true),
  })
  const remove = useAction('deleteLogo', { done: words.logoRemoved, onDone: onSite, renews: ['getSite'] })
  const upload = (file: File | null) => {
    setFault(undefined)
    if (file) put.mutate({ project, body: file })
  }
  return (
    <div className="stack site-logo" role="group" aria-labelledby={id}>
      <span id={id} className="site-label">
        {words.fields.logo}
      </span>
      {logo ? (
        <img
          key={logo.digest}
          src={`${client.addressOf('getLogo', { project })}#${logo.digest}`}
          alt={words.logoAlt}
          className="site-logo-picture"
        />
      ) : (
        <p className="quiet small plain">{words.noLogo}</p>
      )}
      {!isFixed && (
        <>
          <p className="quiet small plain">{words.logoHelp}</p>
          <div className="row">
            <FileButton onChange={upload} accept={Object.keys(accepted).join()}>
              {(props) => (
                <Button {...props} variant="default" size="sm" loading={put.isPending}>
                  {logo ? words.replaceLogo : words.uploadLogo}
                </Button>
              )}
            </FileButton>
            {logo && (
              <Button
                variant="default"
                size="sm"
                loading={remove.isPending}
                onClick={() => (setFault(undefined), remove.mutate({ project }))}
              >
                {words.removeLogo}
              </Button>
            )}
          </div>
          <p role="alert" className="site-fault small">
            {fault}
          </p>
        </>
      )}
    </div>
  )
}
