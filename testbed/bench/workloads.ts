// The same work for both sides: the statements that pgbench sends to bare PostgreSQL, and the
// requests that wrk sends to the service. The bare side gets the simplest statement that does
// the work of one request, prepared, and pays for nothing of ours: no keys, no HTTP, no
// row-level security, and rows instead of JSON.

import type { Workload } from './options.ts'
import type { World } from './environment.ts'

export const PAGE = 20
/** The service reads one row more than it returns, to know whether there is a next page. */
const ROWS = PAGE + 1
const BEGINNING = '9223372036854775807'

const bare = {
  list: `select id, name, category_id, status from pets
    where project_id = :project and id < ${BEGINNING} order by id desc limit ${ROWS};`,
  listByStatus: `select id, name, category_id, status from pets
    where project_id = :project and status = 'available' and id < ${BEGINNING} order by id desc limit ${ROWS};`,
  get: `select id, name, category_id, status from pets where project_id = :project and id = :id;`,
  create: `insert into pets (project_id, name, category_id, status) values (:project, 'Rex', 7, 'available')
    returning id, name, category_id, status;`,
}

type Shape = Pick<World, 'projects' | 'animals'>

export function bareScript(workload: Workload, { projects, animals }: Shape): string {
  const project = `\\set project random(1, ${projects})`
  switch (workload) {
    case 'get': {
      const id = `\\set id (:project - 1) + ${projects} * random(1, ${Math.floor(animals / projects) - 1})`
      return `${project}\n${id}\n${bare.get}`
    }
    case 'mix':
      return `${project}\n\\set dice random(1, 10)\n\\if :dice > 1\n${bare.list}\n\\else\n${bare.create}\n\\endif`
    default:
      return `${project}\n${bare[workload]}`
  }
}

/** Requests are formatted before the run, so that wrk costs as little as possible. */
export function wrkScript(workload: Workload, { projects, animals, keys }: Shape & Pick<World, 'keys'>): string {
  const perProject = Math.floor(animals / projects) - 1
  return `
local keys = {${keys.map((key) => `"${key}"`).join(',')}}
local lists, creates = {}, {}
local function get(path, key) return wrk.format("GET", path, { Authorization = "Bearer " .. key }) end
function prepare()
  for index, key in ipairs(keys) do
    lists[index] = get("${workload === 'listByStatus' ? `/v1/pets?limit=${PAGE}&status=available` : `/v1/pets?limit=${PAGE}`}", key)
    creates[index] = wrk.format("POST", "/v1/pets",
      { Authorization = "Bearer " .. key, ["Content-Type"] = "application/json" },
      '{"name":"Rex","categoryId":7,"status":"available"}')
  end
end
function next_request()
  local n = math.random(#keys)
  ${nextRequest(workload, projects, perProject)}
end`
}

function nextRequest(workload: Workload, projects: number, perProject: number): string {
  switch (workload) {
    case 'list':
    case 'listByStatus':
      return 'return lists[n]'
    case 'get':
      return `return get("/v1/pets/" .. string.format("%d", n - 1 + ${projects} * math.random(${perProject})), keys[n])`
    case 'create':
      return 'return creates[n]'
    case 'mix':
      return 'if math.random(10) > 1 then return lists[n] end return creates[n]'
  }
}
