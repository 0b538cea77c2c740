// The draft of the site, which several members may change at once.

import * as ui from '../ui/draft.ts'
import { fieldNames, fieldsOf, isSame, type Fields, type Site } from './fields.ts'

export type Draft = ui.Draft<Site, Fields>

export const { draftOf, isChanged, edited, saved, received, conflicting, keepMine, takeTheirs } = ui.draftsOf<
  Site,
  Fields
>({ names: fieldNames, fieldsOf, isSame })
