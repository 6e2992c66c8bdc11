#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/serve/net.h"
#include "app/serve/response.h"
#include "app/serve/routes.h"
#include "sim/core/json_text.h"

namespace orrery::app::serve {

namespace {

using Request = http::request<http::string_body>;
/// A question that the window's thread answers.
using Question = std::function<Response()>;

/// The window answers at its next frame; while a dataset opens that can take long.
constexpr std::chrono::seconds answer_time{10};
constexpr auto only_watches = "this address is for watching: it changes nothing";
/// Whoever guesses tokens waits between guesses.
constexpr std::chrono::milliseconds refusal_time{500};
constexpr std::chrono::seconds drain_time{2};
constexpr std::uint32_t longest_header = 16384;
constexpr std::uint64_t longest_form = 65536;

/// An answer that another thread gives.
class Promise : public std::enable_shared_from_this<Promise> {
 public:
  explicit Promise(const asio::any_io_executor& executor) : timer_(executor) {}

  /// From any thread.
  void give(Response response) {
    asio::post(timer_.get_executor(), [self = shared_from_this(), response = std::move(response)]() mutable {
      self->response_ = std::move(response);
      self->timer_.cancel();
    });
  }

  asio::awaitable<Response> wait() {
    beast::error_code ignored;
    timer_.expires_after(answer_time);
    if (!response_) co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    co_return response_ ? std::move(*response_) : text_response(503, "the window is busy; try again");
  }

 private:
  asio::steady_timer timer_;
  std::optional<Response> response_;
};

std::string_view text(beast::string_view view) { return {view.data(), view.size()}; }

/// The requests of one connection, one after the other.
class Connection {
 public:
  Connection(Stream stream, std::shared_ptr<ServerContext> context)
      : stream_(std::move(stream)),
        context_(std::move(context)),
        seat_(context_->seats, [this] { stream_.close(); }) {}

  asio::awaitable<void> run() {
    while (co_await serve_next()) {
    }
    beast::error_code ignored;
    stream_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
  }

  using Handler = asio::awaitable<Response> (Connection::*)(const Request& request, const std::string& path);
  /// A route with what answers it; nullptr where the connection becomes something else: a socket, an upload.
  struct Endpoint {
    Route route;
    Handler handler = nullptr;
  };
  static std::span<const Endpoint> endpoints();

 private:
  static const Endpoint& endpoint_of(http::verb method, const std::string& path);

  const Access& access() const { return context_->options.access; }
  std::chrono::milliseconds request_time() const { return context_->options.request_time; }
  std::chrono::milliseconds idle_time() const { return context_->options.idle_time; }

  using HeadParser = http::request_parser<http::empty_body>;

  /// False when the connection is over.
  asio::awaitable<bool> serve_next() {
    HeadParser head;
    head.header_limit(longest_header);
    head.body_limit(std::max(context_->served.uploads.largest(), longest_form));
    const auto failed = co_await read_head(head);
    if (failed) co_return co_await refuse_unread(failed);
    auto refusal = refusal_of(head.get());
    if (refusal.status != 200) co_return co_await finish(std::move(refusal));
    const auto path = path_of(head.get().target());
    const auto& endpoint = endpoint_of(head.get().method(), path);
    refusal = gate(endpoint.route, head.get());
    const bool takes_over = endpoint.handler == nullptr;
    if (takes_over && refusal.status != 200) co_return co_await finish(std::move(refusal));
    if (endpoint.route.method == "PUT") co_return co_await take_upload(head, path);
    co_return co_await read_and_answer(head, path, endpoint, std::move(refusal));
  }

  /// Waits long for the first byte; from then on a request is expected soon.
  asio::awaitable<beast::error_code> read_head(HeadParser& head) {
    beast::error_code failed;
    if (buffer_.size() == 0) {
      stream_.expires_after(idle_time());
      const auto room = buffer_.prepare(4096);
      const auto count =
          co_await stream_.async_read_some(room, asio::redirect_error(asio::use_awaitable, failed));
      if (failed) co_return failed;
      buffer_.commit(count);
    }
    stream_.expires_after(request_time());
    co_await http::async_read_header(stream_, buffer_, head,
                                     asio::redirect_error(asio::use_awaitable, failed));
    co_return failed;
  }

  /// The answer to a request that could not be read; none if the connection broke.
  asio::awaitable<bool> refuse_unread(beast::error_code failed) {
    if (failed == http::error::header_limit) return refuse(431, "the request is too long");
    if (failed == http::error::body_limit) return refuse(413, too_large());
    const bool malformed = failed.category() == beast::error_code(http::error::bad_method).category();
    if (malformed && failed != http::error::end_of_stream)
      return refuse(400, "this is no request of HTTP/1.1");
    return end();
  }
  asio::awaitable<bool> end() { co_return false; }

  /// Why a request is refused whatever it asks for; status 200 if it is not. Finds the role of the client.
  Response refusal_of(const http::request_header<>& head) {
    auto fault = fault_of(head);
    if (fault.status != 200) return fault;
    seat_.note_request();
    if (!host_is_ours(text(head[http::field::host]), access()))
      return text_response(421,
                           "this name is not one of this server's: use the address that it printed, or start "
                           "it with --allow-host NAME");
    bearer_ = bearer_of(head);
    role_ =
        bearer_ != Role::none ? bearer_ : context_->sessions.role_of_cookies(text(head[http::field::cookie]));
    if (role_ != Role::none && !seat_.prove(role_))
      return text_response(503, "too many connections are open; close some windows of this page");
    return {};
  }

  /// Why this client may not use the route; status 200 if it may.
  Response gate(const Route& route, const http::request_header<>& head) const {
    const auto origin = text(head[http::field::origin]);
    const bool script = route.from == FromPage::ours_or_script || bearer_ != Role::none;
    const bool ours =
        origin.empty() ? script : origin_is_ours(origin, text(head[http::field::host]), access());
    const bool for_people = route.method != "PUT" && route.path != "ws";
    // Who has no role is asked for the token first, on pages for people.
    if (route.from != FromPage::any && !ours && (role_ != Role::none || !for_people))
      return text_response(403, "this page is not of this server");
    if (route.right == Right::none) return {};
    if (role_ == Role::none) return for_people ? login_page(false) : text_response(401, "no token");
    if (route.right == Right::drive && role_ != Role::drives) return text_response(403, only_watches);
    if (route.right == Right::token && bearer_ == Role::none)
      return text_response(403, "a code is for a client that sends the token itself");
    return {};
  }

  /// `refusal`: the gate's, of status 200 if the client may pass.
  asio::awaitable<bool> read_and_answer(HeadParser& head, const std::string& path, const Endpoint& endpoint,
                                        Response refusal) {
    // The parser judged the length by the larger limit.
    if (head.content_length().value_or(0) > longest_form)
      co_return co_await refuse(413, "the request is too long");
    http::request_parser<http::string_body> whole(std::move(head));
    whole.body_limit(longest_form);
    beast::error_code failed;
    co_await invite_body(whole);
    co_await http::async_read(stream_, buffer_, whole, asio::redirect_error(asio::use_awaitable, failed));
    if (failed) co_return co_await refuse_unread(failed);
    auto request = whole.release();
    if (endpoint.handler == nullptr && websocket::is_upgrade(request)) {
      co_await serve_browser(std::move(stream_), std::move(request), role_, context_);
      co_return false;
    }
    co_return co_await answer(request, path, endpoint, std::move(refusal));
  }

  /// Some clients wait for a word before they send the body.
  asio::awaitable<void> invite_body(const auto& request) {
    static constexpr std::string_view words = "HTTP/1.1 100 Continue\r\n\r\n";
    beast::error_code ignored;
    if (!request.is_done() && request.get().count(http::field::expect) > 0)
      co_await asio::async_write(stream_, asio::buffer(words),
                                 asio::redirect_error(asio::use_awaitable, ignored));
  }

  asio::awaitable<bool> answer(const Request& request, const std::string& path, const Endpoint& endpoint,
                               Response refusal) {
    if (refusal.status != 200) co_return co_await send(request, std::move(refusal));
    const Handler handler = endpoint.handler == nullptr ? &Connection::not_found : endpoint.handler;
    // By itself: GCC 12 destroys objects that are made within a co_await expression twice.
    auto response = co_await (this->*handler)(request, path);
    co_return co_await send(request, std::move(response));
  }
  asio::awaitable<bool> send(const Request& request, Response response) {
    if (response.status == 401 || response.status == 403) co_await pause();
    co_return co_await send_response(
        stream_, response, {request.keep_alive(), request.method() == http::verb::head, idle_time()});
  }

  Role bearer_of(const http::request_header<>& head) const {
    constexpr std::string_view scheme = "Bearer ";
    const auto field = text(head[http::field::authorization]);
    return field.starts_with(scheme) ? role_of_token(field.substr(scheme.size()), access()) : Role::none;
  }

  /// The path below the base path: "", "ws", "files/a.png". The base path may be there or taken off by a
  /// proxy.
  std::string path_of(beast::string_view target) const {
    auto path = text(target);
    path = path.substr(0, path.find('?'));
    path.remove_prefix(path.starts_with(access().base_path) ? access().base_path.size() : 1);
    return std::string(path);
  }
  static std::string query_of(beast::string_view target) {
    const auto whole = text(target);
    const auto mark = whole.find('?');
    return mark == std::string_view::npos ? std::string() : std::string(whole.substr(mark + 1));
  }

  /// A session begins: its secret goes to the browser, and the browser to the page.
  Response log_in(Role role, const Request& request) {
    if (role == Role::none) return login_page(true);
    const auto host = text(request[http::field::host]);
    const auto cookie = cookie_field(role, context_->sessions.secret_of(role), host, access());
    // Who comes from a file or from a page of somebody else would not bring the new cookie to where it is
    // redirected to: the page that it goes on from must be of this server.
    if (text(request["Sec-Fetch-Site"]) == "cross-site")
      return {.type = "text/html; charset=utf-8",
              .body = fmt::format("<!doctype html><link rel=\"icon\" href=\"icon.svg\">"
                                  "<meta http-equiv=\"refresh\" content=\"0; url={}\">\n",
                                  access().base_path),
              .fields = {{"Set-Cookie", cookie}}};
    return {.status = 303, .body = "", .fields = {{"Location", access().base_path}, {"Set-Cookie", cookie}}};
  }

  asio::awaitable<Response> refuse_method(const Request& /*request*/, const std::string& /*path*/) {
    co_return text_response(405, "this server answers GET and POST");
  }
  asio::awaitable<Response> not_found(const Request& /*request*/, const std::string& /*path*/) {
    co_return text_response(404, "there is no such page");
  }
  asio::awaitable<Response> file_of_page(const Request& /*request*/, const std::string& path) {
    co_return page_file(path);
  }

  /// The page, or what leads there: the address that was printed, the code of `orrery connect`, the form.
  asio::awaitable<Response> home(const Request& request, const std::string& /*path*/) {
    // Who asks for the head alone, as previews of links do, takes nothing.
    if (request.method() == http::verb::get) {
      const auto query = query_of(request.target());
      const auto token = form_value(query, "token"), code = form_value(query, "code");
      if (!token.empty()) co_return log_in(role_of_token(token, access()), request);
      if (!code.empty()) co_return log_in(context_->sessions.redeem(code), request);
    }
    co_return role_ == Role::none ? login_page(false) : page_file("index.html");
  }

  asio::awaitable<Response> take_login(const Request& request, const std::string& /*path*/) {
    co_return log_in(role_of_token(form_value(request.body(), "token"), access()), request);
  }

  asio::awaitable<Response> make_code(const Request& /*request*/, const std::string& /*path*/) {
    co_return text_response(200, context_->sessions.make_code(bearer_));
  }

  asio::awaitable<Response> set_option(const Request& request, const std::string& path) {
    std::string name = form_value(request.body(), "name"), value = form_value(request.body(), "value");
    const bool is_json = text(request[http::field::content_type]).starts_with("application/json");
    if (is_json) {
      const auto json = sim::json_in(request.body());
      const auto member = [&](const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
      };
      name = member("name");
      value = member("value");
    }
    if (name.empty()) co_return text_response(400, "give name=OPTION and value=VALUE");
    const bool page = path == "options" && !is_json;
    Question question = [&answers = context_->served.answers, name, value, page] {
      auto answer = answers.set_option(name, value);
      if (!page) return answer;
      auto html = answers.options_page({name, value, answer.body, answer.status != 200});
      html.status = answer.status;
      return html;
    };
    co_return co_await ask(std::move(question));
  }

  asio::awaitable<Response> status(const Request& /*request*/, const std::string& /*path*/) {
    return ask(context_->served.answers.status);
  }
  asio::awaitable<Response> options(const Request& /*request*/, const std::string& /*path*/) {
    return ask(context_->served.answers.options);
  }
  asio::awaitable<Response> options_page(const Request& /*request*/, const std::string& /*path*/) {
    return ask([&answers = context_->served.answers, role = role_] {
      return answers.options_page(role == Role::drives ? FormAnswer{} : FormAnswer{.text = only_watches});
    });
  }
  asio::awaitable<Response> files(const Request& /*request*/, const std::string& /*path*/) {
    co_return json_response(context_->served.downloads.list());
  }

  asio::awaitable<Response> ask(Question question) {
    const auto promise = std::make_shared<Promise>(stream_.get_executor());
    context_->served.desk.put_errand(
        [promise, question = std::move(question)] { promise->give(question()); });
    stream_.expires_after(2 * answer_time);
    co_return co_await promise->wait();
  }

  asio::awaitable<Response> screenshot(const Request& /*request*/, const std::string& /*path*/) {
    const auto promise = std::make_shared<Promise>(stream_.get_executor());
    context_->served.broadcaster.request_screenshot(
        [promise](auto png) { promise->give({.type = "image/png", .shared = std::move(png)}); });
    context_->served.desk.wake();
    stream_.expires_after(2 * answer_time);
    co_return co_await promise->wait();
  }

  /// Only what this run wrote, by its name: no path of a request ever reaches the file system.
  asio::awaitable<Response> download(const Request& request, const std::string& path) {
    const bool whole = request.method() == http::verb::head;
    co_return context_->served.downloads.get(form_value("name=" + path.substr(6), "name"),
                                             whole ? std::string_view() : text(request[http::field::range]),
                                             text(request[http::field::if_range]));
  }

  asio::awaitable<bool> take_upload(HeadParser& head, const std::string& path) {
    const auto name = safe_file_name(form_value("name=" + path.substr(7), "name"));
    if (name.empty()) co_return co_await refuse(400, "the file needs a name");
    const auto length = head.content_length();
    const auto largest = context_->served.uploads.largest();
    // With a limit of 0 nothing is taken, nor an empty file.
    if (largest == 0 || length.value_or(0) > largest) co_return co_await refuse(413, too_large());
    std::string why;
    const auto arrival =
        context_->served.uploads.begin(length ? std::optional<std::uint64_t>(*length) : std::nullopt, why);
    if (!arrival) co_return co_await refuse(507, why);
    http::request_parser<http::file_body> whole(std::move(head));
    whole.body_limit(arrival->room());
    const auto file = arrival->folder() / name;
    beast::error_code failed;
    whole.get().body().open(file.c_str(), beast::file_mode::write_new, failed);
    co_await invite_body(whole);
    while (!failed && !whole.is_done()) {
      // Each part in its time: a large file may take long.
      stream_.expires_after(request_time());
      co_await http::async_read_some(stream_, buffer_, whole,
                                     asio::redirect_error(asio::use_awaitable, failed));
    }
    if (failed) co_return co_await refuse_upload(failed);
    const bool keeps = whole.get().keep_alive();
    arrival->keep(whole.get().body().file().size(failed));
    whole.get().body().close();
    context_->served.desk.put_file(file);
    const auto opening = text_response(200, "opening " + name);
    co_return co_await send_response(stream_, opening, {.keeps = keeps, .part_time = idle_time()});
  }

  asio::awaitable<bool> refuse_upload(beast::error_code failed) {
    const auto is = [&](auto... reasons) { return ((failed == reasons) || ...); };
    using boost::system::errc::errc_t;
    if (!is(errc_t::no_space_on_device, errc_t::file_too_large, errc_t::io_error) && failed.value() != EDQUOT)
      return refuse_unread(failed);
    const auto why = "the server cannot keep the file: " + failed.message();
    return refuse(507, why);
  }

  asio::awaitable<void> pause() {
    beast::error_code ignored;
    asio::steady_timer timer(stream_.get_executor(), refusal_time);
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }

  static std::string_view too_large() {
    return "the file is too large; start the server with a larger --upload-limit";
  }

  /// Answers and ends the connection: what follows of the request is not read. No coroutine itself, and `why`
  /// is a view: GCC 12 destroys objects that are made within a co_await expression twice.
  asio::awaitable<bool> refuse(int status, std::string_view why) {
    return finish(text_response(status, std::string(why)));
  }
  asio::awaitable<bool> finish(Response response) {
    if (response.status == 401 || response.status == 403) co_await pause();
    co_await send_response(stream_, response, {.part_time = idle_time()});
    co_await drain();
    co_return false;
  }

  /// Reads what is still sent, for a moment: closed earlier, the system would drop the answer with it.
  asio::awaitable<void> drain() {
    beast::error_code failed;
    stream_.socket().shutdown(asio::socket_base::shutdown_send, failed);
    stream_.expires_after(drain_time);
    std::array<char, 65536> unread{};
    while (!failed)
      co_await stream_.async_read_some(asio::buffer(unread),
                                       asio::redirect_error(asio::use_awaitable, failed));
  }

  Stream stream_;
  std::shared_ptr<ServerContext> context_;
  Seats::Seat seat_;
  beast::flat_buffer buffer_{65536};
  // Of the present request.
  Role bearer_ = Role::none;  ///< by its token
  Role role_ = Role::none;    ///< by its token or its cookie
};

std::span<const Connection::Endpoint> Connection::endpoints() {
  using enum Right;
  using enum FromPage;
  static constexpr std::array all{
      Endpoint{{"GET", "", none}, &Connection::home},
      Endpoint{{"GET", "style.css", none}, &Connection::file_of_page},
      Endpoint{{"GET", "icon.svg", none}, &Connection::file_of_page},
      Endpoint{{"GET", "ws", watch, ours_or_token}},
      Endpoint{{"GET", "status.json"}, &Connection::status},
      Endpoint{{"GET", "options.json"}, &Connection::options},
      Endpoint{{"GET", "options"}, &Connection::options_page},
      Endpoint{{"GET", "screenshot.png"}, &Connection::screenshot},
      Endpoint{{"GET", "files.json"}, &Connection::files},
      Endpoint{{"GET", "files/*"}, &Connection::download},
      Endpoint{{"GET", "login.html"}, &Connection::not_found},
      Endpoint{{"GET", "*"}, &Connection::file_of_page},
      // Who logs in brings the token, from whatever page.
      Endpoint{{"POST", "login", none}, &Connection::take_login},
      Endpoint{{"POST", "code", token, ours_or_script}, &Connection::make_code},
      Endpoint{{"POST", "options", drive, ours_or_script}, &Connection::set_option},
      Endpoint{{"POST", "options.json", drive, ours_or_script}, &Connection::set_option},
      Endpoint{{"POST", "*", drive, ours_or_script}, &Connection::not_found},
      Endpoint{{"PUT", "upload/*", drive, ours_or_script}},
  };
  return all;
}

const Connection::Endpoint& Connection::endpoint_of(http::verb method, const std::string& path) {
  static constexpr Endpoint other{{"", "*", Right::none}, &Connection::refuse_method};
  const auto named = method == http::verb::head ? "GET" : http::to_string(method);
  const auto fits = [&](const Endpoint& endpoint) {
    const auto& at = endpoint.route.path;
    return text(named) == endpoint.route.method &&
           (at.ends_with('*') ? path.starts_with(at.substr(0, at.size() - 1)) : path == at);
  };
  const auto all = endpoints();
  const auto found = std::ranges::find_if(all, fits);
  return found == all.end() ? other : *found;
}

}  // namespace

std::vector<Route> routes() {
  std::vector<Route> all;
  for (const auto& endpoint : Connection::endpoints()) all.push_back(endpoint.route);
  return all;
}

asio::awaitable<void> serve_connection(Stream stream, std::shared_ptr<ServerContext> context) {
  Connection connection(std::move(stream), std::move(context));
  co_await connection.run();
}

}  // namespace orrery::app::serve
