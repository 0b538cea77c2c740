// Project settings, General: the name, the addresses, and the end of the project.

import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Copy } from '../ui/copy.tsx'
import { Page, Section } from '../ui/page.tsx'
import { DeleteProject } from './delete-project.tsx'
import { Rename } from './rename.tsx'
import './projects.css'

const { general: words } = texts.projects

export function GeneralPage() {
  const { slug, siteUrl, defaultSiteUrl } = useProject()
  return (
    <Page title={words.title}>
      <Rename />
      <Section title={words.address}>
        <dl className="facts">
          <dt>{words.siteAddress}</dt>
          <dd>
            <SiteAddress url={siteUrl} what={words.copySite} />
            <span className="quiet small">{words.siteText}</span>
          </dd>
          {siteUrl !== defaultSiteUrl && (
            <>
              <dt>{words.defaultAddress}</dt>
              <dd>
                <SiteAddress url={defaultSiteUrl} what={words.copyDefault} />
                <span className="quiet small">{words.defaultText}</span>
              </dd>
            </>
          )}
          <dt>{words.slug}</dt>
          <dd>
            <div className="row">
              <code>{slug}</code>
              <Copy value={slug} what={words.copySlug} />
            </div>
            <span className="quiet small">{words.slugText}</span>
          </dd>
        </dl>
      </Section>
      <DeleteProject />
    </Page>
  )
}

const SiteAddress = ({ url, what }: { url: string; what: string }) => (
  <div className="row">
    <a href={url} target="_blank" rel="noreferrer">
      {url} <span className="visually-hidden">{texts.projects.newWindow}</span>
    </a>
    <Copy value={url} what={what} />
  </div>
)
