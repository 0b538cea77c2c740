// The regular expressions of sources: literals, `new RegExp` and the patterns of schemas, whose constant parts are put
// together here. Pure.

import { parseSync } from 'vite'
import type { Sources } from './sources.ts'

/** `source` is undefined if an expression is assembled while the program runs. */
export type Expression = { file: string; text: string; source: string | undefined; flags: string }

export function expressionsOf(sources: Sources): Expression[] {
  const programs = [...sources].map(([file, text]) => ({ file, text, program: programOf(file, text) }))
  const constants = new Map<string, Node>()
  for (const { file, program } of programs)
    visit(program, (node) => {
      const { id, init } = node as { id?: Node; init?: Node | null }
      if (node.type !== 'VariableDeclarator' || !init || id?.type !== 'Identifier') return
      constants.set(nameOf(id), init).set(`${file} ${nameOf(id)}`, init)
    })
  return programs.flatMap(({ file, text, program }) => {
    const found: Expression[] = []
    const textOf = ({ start, end }: Node) => text.slice(start, end)
    const constantOf = (name: string) => constants.get(`${file} ${name}`) ?? constants.get(name)
    const textOfConstant = (node: Node) => folded(node, constantOf)
    visit(program, (node) => {
      const regex = node['regex'] as { pattern: string; flags: string } | undefined
      if (regex) found.push({ file, text: textOf(node), source: regex.pattern, flags: regex.flags })
      const [first, second] = (node['arguments'] ?? []) as Node[]
      if (/^(New|Call)Expression$/.test(node.type) && nameOf(node['callee'] as Node) === 'RegExp' && first)
        found.push({ file, text: textOf(node), source: textOfConstant(first), flags: valueOf(second) ?? '' })
      const value = node['value'] as Node
      if (node.type === 'Property' && nameOf(node['key'] as Node) === 'pattern' && !value['regex'])
        found.push({ file, text: textOf(node), source: textOfConstant(value), flags: 'u' })
    })
    return found
  })
}

type Node = { type: string; start: number; end: number; [field: string]: unknown }

const programOf = (file: string, text: string) => parseSync(file, text).program as unknown as Node
const nameOf = ({ name }: Node): string => String(name)
const valueOf = (node?: Node) => (typeof node?.['value'] === 'string' ? node['value'] : undefined)

function visit(node: Node, onNode: (node: Node) => void): void {
  onNode(node)
  for (const child of Object.values(node).flat())
    if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node, onNode)
}

/** The text of a constant expression. */
function folded(node: Node, constantOf: (name: string) => Node | undefined): string | undefined {
  const { type, value } = node
  if (type === 'Literal') return String(value)
  if (type === 'BinaryExpression') {
    const [left, right] = [node['left'], node['right']].map((side) => folded(side as Node, constantOf))
    if (left === undefined || right === undefined) return undefined
    return node['operator'] === '+' ? left + right : String(Number(left) - Number(right))
  }
  if (type === 'Identifier') {
    const constant = constantOf(nameOf(node))
    return constant && folded(constant, constantOf)
  }
  const template = (type === 'TaggedTemplateExpression' ? node['quasi'] : node) as Node
  if (template.type !== 'TemplateLiteral') return undefined
  const quasis = template['quasis'] as { value: { raw: string; cooked: string } }[]
  const values = (template['expressions'] as Node[]).map((one) => folded(one, constantOf))
  if (values.includes(undefined)) return undefined
  return quasis.map((one, at) => (template === node ? one.value.cooked : one.value.raw) + (values[at] ?? '')).join('')
}
