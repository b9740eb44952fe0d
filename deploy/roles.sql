-- Three users for one database of crawls, none of which is a superuser. Run it once, in that
-- database, before the first crawl (again does no harm):
--
--   psql -d crawls -f deploy/roles.sql
--
-- geoscout         begins crawls: it owns their schemas and tables. For people, not for servers.
-- geoscout_worker  works on crawls: it changes rows, and can neither make nor drop a table.
-- geoscout_reader  looks at crawls: status, search, export, serve. It changes nothing.
--
-- They can log in when they have passwords: \password geoscout_worker in psql.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['geoscout', 'geoscout_worker', 'geoscout_reader'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', name);
        END IF;
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), name);
    END LOOP;
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CREATE ON DATABASE %I TO geoscout', current_database());
END $$;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
-- What geoscout makes from now on.
ALTER DEFAULT PRIVILEGES FOR ROLE geoscout
    GRANT USAGE ON SCHEMAS TO geoscout_worker, geoscout_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE geoscout
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO geoscout_worker;
ALTER DEFAULT PRIVILEGES FOR ROLE geoscout
    GRANT SELECT ON TABLES TO geoscout_reader;
