// Writes dashboard/src/ui/tokens.css: npm run generate -- tokens

import { join } from 'node:path'
import { writeGenerated } from './generated-file.ts'
import { tokens, tokensCss } from './tokens.ts'

writeGenerated('tokens', join(import.meta.dirname, '../dashboard/src/ui/tokens.css'), tokensCss(tokens))
