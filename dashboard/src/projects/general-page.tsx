// Project settings, General: the name, the addresses, and the end of the project.

import { Globe, Link2, Tag, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Copy } from '../ui/copy.tsx'
import { Glyph } from '../ui/glyph.tsx'
import { Page, Section } from '../ui/page.tsx'
import { DeleteProject } from './delete-project.tsx'
import { KindSetting } from './kind-setting.tsx'
import { Rename } from './rename.tsx'
import './projects.css'

const { general: words } = texts.projects

export function GeneralPage() {
  const { slug, siteUrl, defaultSiteUrl } = useProject()
  return (
    <Page title={words.title} lead={words.lead}>
      <Rename />
      <KindSetting />
      <Section title={words.address} isFlush>
        <ul className="lines">
          <Address icon={Globe} label={words.siteAddress} value={siteUrl} what={words.copySite} help={words.siteText}>
            <SiteLink url={siteUrl} />
          </Address>
          {siteUrl !== defaultSiteUrl && (
            <Address
              icon={Link2}
              label={words.defaultAddress}
              value={defaultSiteUrl}
              what={words.copyDefault}
              help={words.defaultText}
            >
              <SiteLink url={defaultSiteUrl} />
            </Address>
          )}
          <Address icon={Tag} label={words.slug} value={slug} what={words.copySlug} help={words.slugText}>
            <code>{slug}</code>
          </Address>
        </ul>
      </Section>
      <DeleteProject />
    </Page>
  )
}

type AddressProps = { icon: LucideIcon; label: string; value: string; what: string; help: string; children: ReactNode }

const Address = ({ icon, label, value, what, help, children }: AddressProps) => (
  <li className="setting">
    <Glyph of={icon} tone="plain" />
    <div className="grow">
      <span className="quiet small">{label}</span>
      <div className="setting-value">{children}</div>
      <span className="quiet small">{help}</span>
    </div>
    <Copy value={value} what={what} />
  </li>
)

const SiteLink = ({ url }: { url: string }) => (
  <a href={url} target="_blank" rel="noreferrer">
    {url} <span className="visually-hidden">{texts.projects.newWindow}</span>
  </a>
)
