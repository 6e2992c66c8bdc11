#include "app/serve/served.h"

#include <map>
#include <utility>

namespace orrery::app::serve {

namespace {

class Kept {
 public:
  Kept(WindowAnswers answers, std::chrono::milliseconds moment)
      : answers_(std::move(answers)), moment_(moment) {}

  Response status() { return kept("status", answers_.status); }
  Response options() { return kept("options", answers_.options); }
  /// The answer to a form is for the one who sent it.
  Response options_page(const FormAnswer& answer) {
    const auto make = [&] { return answers_.options_page(answer); };
    return answer.option.empty() ? kept("page " + answer.text, make) : make();
  }
  Response set_option(const std::string& name, const std::string& value) {
    kept_.clear();
    return answers_.set_option(name, value);
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Answer {
    Response response;
    Clock::time_point until;
  };

  Response kept(const std::string& name, const std::function<Response()>& make) {
    const auto found = kept_.find(name);
    if (found != kept_.end() && Clock::now() < found->second.until) return found->second.response;
    auto response = make();
    kept_.insert_or_assign(name, Answer{response, Clock::now() + moment_});
    return response;
  }

  WindowAnswers answers_;
  std::chrono::milliseconds moment_;
  std::map<std::string, Answer> kept_;
};

}  // namespace

WindowAnswers shared_answers(WindowAnswers answers, std::chrono::milliseconds moment) {
  const auto kept = std::make_shared<Kept>(std::move(answers), moment);
  return {.status = [kept] { return kept->status(); },
          .options = [kept] { return kept->options(); },
          .options_page = [kept](const FormAnswer& answer) { return kept->options_page(answer); },
          .set_option = [kept](const std::string& name,
                               const std::string& value) { return kept->set_option(name, value); }};
}

}  // namespace orrery::app::serve
