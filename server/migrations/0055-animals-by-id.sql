-- phase: expand
-- oldest-release: 1.0
-- locks: pets share update exclusive

-- Every index of animals begins with the project and contains the id, so the planner tells them apart only by how many animals
-- it expects in a project. With many small projects next to one with 100,000 animals it expected less than one, and read all
-- entries of the large project in pets_by_category to find one animal. From the next `analyze` on it expects a tenth of all
-- animals in each project: ten is also for how many projects it takes the array of the policy.
alter table pets alter column project_id set (n_distinct = 10);
