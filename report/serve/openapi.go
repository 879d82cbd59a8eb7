package serve

import (
	"net/http"
	"strings"
)

// kinds are those of fields that are no text.
var kinds = map[string]string{"link": "integer", "id": "integer", "page": "integer"}

// wanted are the fields that a route cannot do without, but for the link.
var wanted = map[string][]string{"marks": {"decision", "why"}, "fixes": {"decision", "new"}, "undo": {"id"}}

// openAPI describes the API (OpenAPI 3.1), by the routes that serve it.
func openAPI(version string) any {
	type object = map[string]any
	answer := func(what string) object { return object{"description": what} }
	faults := func(codes ...string) object {
		all := object{"200": answer("Done"), "401": answer("No token"), "403": answer("Another origin, or no X-CSRF-Token"), "421": answer("Another name of the server")}
		for _, c := range codes {
			all[c] = answer(map[string]string{"400": "No JSON object", "404": "No such link or line", "409": "Something else was said since", "413": "Too much", "415": "No JSON", "422": "A field says nothing that can be done", "423": "A run holds the store"}[c])
		}
		return all
	}
	query := func(names []string) (list []object) {
		for _, name := range names {
			list = append(list, object{"name": name, "in": "query", "schema": object{"type": kindOf(name)}})
		}
		return list
	}
	paths := map[string]object{
		apiPath + "links":        {"get": object{"summary": "Links, by the filters of the list", "parameters": query(append(filterNames(), "page")), "responses": faults()}},
		apiPath + "log":          {"get": object{"summary": "What people said, the newest line first", "parameters": query([]string{"page"}), "responses": faults()}},
		apiPath + "openapi.json": {"get": object{"summary": "This description", "responses": faults()}},
	}
	for _, way := range routes {
		of := paths[apiPath+way.path]
		if of == nil {
			of = object{}
			paths[apiPath+way.path] = of
		}
		operation := object{"summary": way.what, "responses": faults("404", "422", "423")}
		if way.method == http.MethodDelete {
			operation["parameters"] = query(way.fields)
		} else {
			properties := object{}
			for _, name := range way.fields {
				properties[name] = object{"type": kindOf(name)}
			}
			schema := object{"type": "object", "properties": properties, "additionalProperties": false}
			if need := wanted[way.path]; need != nil {
				schema["required"] = need
			}
			operation["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": schema}}}
			operation["responses"] = faults("400", "404", "409", "413", "415", "422", "423")
		}
		of[strings.ToLower(way.method)] = operation
	}
	return object{
		"openapi": "3.1.0", "info": object{"title": "linkcheck serve --edit", "version": version}, "paths": paths,
		"security": []object{{"bearer": []string{}}, {"cookie": []string{}, "csrf": []string{}}},
		"components": object{"securitySchemes": object{
			"bearer": object{"type": "http", "scheme": "bearer"},
			"cookie": object{"type": "apiKey", "in": "cookie", "name": cookie},
			"csrf":   object{"type": "apiKey", "in": "header", "name": "X-CSRF-Token"},
		}},
	}
}

func kindOf(name string) string {
	if kind := kinds[name]; kind != "" {
		return kind
	}
	return "string"
}

// filterNames are the parameters by which the list is filtered and sorted.
func filterNames() (names []string) {
	for _, f := range (&selection{}).fields() {
		names = append(names, f.Name)
	}
	return names
}

// methods are those that a path of the API has.
func methods(path string) (list []string) {
	for _, r := range routes {
		if apiPath+r.path == path {
			list = append(list, r.method)
		}
	}
	if path == apiPath+"links" || path == apiPath+"log" || path == apiPath+"openapi.json" {
		list = append(list, http.MethodGet, http.MethodHead)
	}
	return list
}
